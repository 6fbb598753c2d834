import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOutboundHttp, systemAmbient } from '@fucina/shared';
import { createHubServer, type HubIntercept, redirectOrigins, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createLocalModels } from '../local-models.ts';

const DOWNLOADS = 60;
const SIZE = 200_000;
const REPO = 'maker/many';

/** Possible failures of the file host for one file, in turn; each happens once. */
const FAULTS: readonly ((
  content: Buffer,
  start: number,
) => { status?: number; headers?: object; body: Buffer; isCut?: boolean })[] = [
  (content, start) => ({ body: content.subarray(start, start + 70_000), isCut: true }),
  (content, start) => ({ body: content.subarray(start, start + 1), isCut: true }),
  (content) => ({ body: content.subarray(0, SIZE / 2) }),
  (content) => ({ body: Buffer.concat([content, content]) }),
  () => ({ body: Buffer.alloc(SIZE, 1) }),
  () => ({ status: 302, headers: { location: 'https://elsewhere.example/' }, body: Buffer.alloc(0) }),
  () => ({ status: 302, headers: { location: 'http://[' }, body: Buffer.alloc(0) }),
  () => ({ status: 500, body: Buffer.from('no') }),
  () => ({ body: Buffer.alloc(0), isCut: true }),
  (content) => ({
    status: 206,
    headers: { 'content-range': `bytes 9-${SIZE - 1}/${SIZE}` },
    body: content.subarray(9),
  }),
];

/** Three failures in a row for each file, then the correct response. */
function faulty(contents: ReadonlyMap<string, Buffer>): HubIntercept {
  const visits = new Map<string, number>();
  return (asked, response) => {
    const name = /([^/]+)\.gguf/.exec(asked.path)?.[1] ?? '';
    const content = contents.get(`${name}.gguf`);
    if (asked.to !== 'files' || !content) return false;
    const visit = visits.get(name) ?? 0;
    visits.set(name, visit + 1);
    const fault = FAULTS[(Number(name) + visit) % FAULTS.length];
    if (visit >= 3 || !fault) return false;
    const start = Number(/\d+/.exec(asked.headers.range ?? '')?.[0] ?? 0);
    const { status = start > 0 ? 206 : 200, headers, body, isCut } = fault(content, start);
    const range = start > 0 && status === 206 ? { 'content-range': `bytes ${start}-${SIZE - 1}/${SIZE}` } : {};
    response.writeHead(status, { ...range, ...headers, ...(isCut && { 'content-length': SIZE }) });
    if (isCut) response.write(body, () => response.destroy());
    else response.end(body);
    return true;
  };
}

test('sixty truncated, extended, redirected and corrupted downloads never become ready with wrong bytes', async () => {
  await using dir = await tempDir();
  const files = Object.fromEntries(
    Array.from({ length: DOWNLOADS }, (_, at) => [
      `${at}.gguf`,
      Buffer.alloc(SIZE, createHash('sha256').update(String(at)).digest()),
    ]),
  );
  await using hub = await createHubServer({ [REPO]: { files } });
  hub.intercept(faulty(new Map(Object.entries(files))));
  const ambient = systemAmbient('silent');
  await using http = createOutboundHttp({ ambient });
  await using models = createLocalModels({
    ambient,
    dataDir: dir.path,
    isBackground: true,
    isLoaded: () => false,
    http: redirectOrigins(http, hub.origins),
  });
  for (let at = 0; at < DOWNLOADS; at += 1) await models.downloads.start(hub.manifest(REPO, [`${at}.gguf`], `m${at}`));
  const checkReady = async (): Promise<number> => {
    const ready = (await models.installed.list()).filter(({ state }) => state === 'ready');
    for (const { id, path } of ready) expect(files[`${id.slice(1)}.gguf`]?.equals(await readFile(path))).toBe(true);
    return ready.length;
  };
  for (;;) {
    const rows = await models.downloads.list();
    for (const { id, state } of rows) if (state === 'failed') await models.downloads.resume(id);
    if ((await checkReady()) === DOWNLOADS) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (let at = 0; at < DOWNLOADS; at += 1)
    expect(await readdir(join(dir.path, `models/m${at}`))).toEqual([`${at}.gguf`]);
});
