import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type GitServer, gitServer } from '../git-fixture.ts';

let server: GitServer;
beforeAll(async () => {
  server = await gitServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

/** As bytes, and as the interface encodes them. Only Linux allows any bytes. */
const NAMES: [Buffer, string][] = [
  [Buffer.from('-dash.txt'), '-dash.txt'],
  [Buffer.from('line\nbreak.txt'), 'line\uef0abreak.txt'],
  [Buffer.from('tab\t.txt'), 'tab\uef09.txt'],
  [Buffer.from('caf\xe9.txt', 'latin1'), 'caf\uefe9.txt'],
  [Buffer.from('caf\xe8.txt', 'latin1'), 'caf\uefe8.txt'],
];
const linuxOnly = process.platform === 'linux' ? test : test.skip;

linuxOnly('what tree and status list can be opened, downloaded, diffed and staged, whatever its name', async () => {
  const repo = await server.fixture();
  for (const [bytes, text] of NAMES) {
    await writeFile(Buffer.concat([Buffer.from(`${join(repo.path)}/`), bytes]), `text of ${text}\n`);
  }
  const listed = (await repo.get('tree')).data.voci.map(({ nome }: { nome: string }) => nome);
  const status = (await repo.get('git/status')).data.voci.map(({ percorso }: { percorso: string }) => percorso);
  for (const [, percorso] of NAMES) {
    expect(listed).toContain(percorso);
    expect(status).toContain(percorso);
    expect((await repo.get('tree/file', { percorso })).data).toMatchObject({
      percorso,
      contenuto: `text of ${percorso}\n`,
    });
    expect((await repo.get('file', { percorso })).text).toBe(`text of ${percorso}\n`);
    const { data } = await repo.get('git/diff', { percorso, area: 'lavoro' });
    expect(data.testo).toContain(`+text of ${percorso}`);
    expect(data.testo.match(/^diff --git/gm)).toHaveLength(1);
  }
  const percorsi = NAMES.map(([, text]) => text);
  expect((await repo.post('git/stage', { percorsi })).data).toMatchObject({ ok: true, percorsi });
  for (const percorso of percorsi)
    expect((await repo.get('git/diff', { percorso, area: 'preparato' })).data.testo).toContain(`+text of ${percorso}`);
});

test('refuses an encoded name that matches no file name and creates no file', async () => {
  const repo = await server.fixture();
  for (const percorso of ['\uef2e\uef2e\uef2fetc\uef2fpasswd', 'a\uef00', '\uef2fetc/passwd'])
    expect((await repo.get('tree/file', { percorso })).code).toBe('QUERY_INVALID');
  const made = await repo.post('tree/create', { percorsoBase: '', nome: 'a\uef0ab', tipo: 'file' });
  expect(made.code).toBe('QUERY_INVALID');
});
