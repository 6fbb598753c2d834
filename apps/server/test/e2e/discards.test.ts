import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type GitServer, gitServer } from '../git-fixture.ts';

let server: GitServer;
beforeAll(async () => {
  server = await gitServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

describe('discards', () => {
  covers('ext.discards.list', 'lists what was discarded, newest first', async () => {
    const repo = await server.fixture();
    expect((await repo.get('ext/discards')).data).toEqual({ scarti: [] });
    await repo.write({ 'a.txt': 'mine\n', 'new.txt': 'new\n' });
    for (const percorsi of [['a.txt'], ['new.txt']]) await repo.post('git/discard', { percorsi });
    expect((await repo.get('ext/discards')).data).toEqual({
      scarti: [
        { id: '00000002', alle: expect.stringMatching(/^\d{4}-.*Z$/), percorsi: ['new.txt'] },
        { id: '00000001', alle: expect.any(String), percorsi: ['a.txt'] },
      ],
    });
  });

  covers('ext.discards.undo', 'restores the files, and leaves those that changed since', async () => {
    const repo = await server.fixture();
    await repo.write({ 'a.txt': 'mine\n', 'new.txt': 'new\n' });
    await repo.post('git/discard', { percorsi: ['a.txt', 'new.txt'] });
    await writeFile(join(repo.path, 'a.txt'), 'since\n');
    const { data } = await repo.post('ext/discards/00000001/undo', {});
    expect(data).toMatchObject({ ok: true, ripristinati: ['new.txt'], lasciati: ['a.txt'] });
    expect(data.stato.riepilogo).toMatchObject({ nonStaged: 1, nonTracciati: 1 });
  });
  refuses('ext.discards.undo', 'NOT_FOUND', 'for a discard that is not stored', async () => {
    const repo = await server.fixture();
    expect((await repo.post('ext/discards/00000007/undo', {})).code).toBe('NOT_FOUND');
  });
});
