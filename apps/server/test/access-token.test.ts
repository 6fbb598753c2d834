import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { startChild } from './child-server.ts';
import { TOKEN } from './harness.ts';

const NONE = { FUCINA_TOKEN: '' };
const SAVED = { ...NONE, FUCINA_SAVED_TOKEN: '1' };

interface Row {
  id: string;
  stato: string;
  dettaglio: string;
}

async function status(url: string, token?: string): Promise<number> {
  const headers: Record<string, string> = token === undefined ? {} : { cookie: `svc_token=${token}` };
  return (await fetch(`${url}api/v1/sessions`, { headers })).status;
}

async function accessRow(url: string, token?: string): Promise<Row | undefined> {
  const headers = { 'accept-language': 'en', ...(token && { cookie: `svc_token=${token}` }) };
  const { data } = (await (await fetch(`${url}api/v1/doctor`, { headers })).json()) as { data: { voci: Row[] } };
  return data.voci.find(({ id }) => id === 'access');
}

describe('the built server', () => {
  test('stays open without a token, and says so in the log and in the doctor', async () => {
    await using data = await tempDir();
    await using server = await startChild({ dataDir: data.path, env: NONE });
    expect(await status(server.url)).toBe(200);
    expect(await accessRow(server.url)).toMatchObject({
      stato: 'attenzione',
      dettaglio: expect.stringContaining('every user of this computer can use it'),
    });
    expect(server.stderr()).toContain('"server.without-token"');
    expect(existsSync(join(data.path, 'launcher-token'))).toBe(false);
  });

  test('started by a launcher, answers only to the token that it saved for its owner, also after a restart', async () => {
    await using data = await tempDir();
    const file = join(data.path, 'launcher-token');
    const starts: string[] = [];
    for (const _start of ['first', 'second']) {
      await using server = await startChild({ dataDir: data.path, env: SAVED });
      const token = readFileSync(file, 'utf8').trim();
      starts.push(token);
      expect([await status(server.url), await status(server.url, TOKEN)]).toEqual([401, 401]);
      expect(await status(server.url, token)).toBe(200);
      expect(await accessRow(server.url, token)).toMatchObject({ stato: 'ok' });
      expect(server.stderr()).not.toContain('server.without-token');
      expect(server.stderr()).not.toContain(token);
    }
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(starts[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(starts[1]).toBe(starts[0]);
  });

  test('prefers the token of its environment to a saved one', async () => {
    await using data = await tempDir();
    await using server = await startChild({ dataDir: data.path, env: { FUCINA_SAVED_TOKEN: '1' } });
    expect([await status(server.url), await status(server.url, TOKEN)]).toEqual([401, 200]);
    expect(existsSync(join(data.path, 'launcher-token'))).toBe(false);
  });
});
