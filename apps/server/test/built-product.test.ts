import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ROUTES } from '../src/routes.ts';
import { html, type Site, startSite } from './browser-fixture.ts';
import { type ChildServer, startChild } from './child-server.ts';
import { TOKEN } from './harness.ts';

const run = promisify(execFile);
const REPOSITORY = join(import.meta.dirname, '../../..');
const SERVER = join(REPOSITORY, 'apps/server/dist');
const CLI = join(REPOSITORY, 'apps/cli/dist');
const WINDOW = join(REPOSITORY, 'apps/window/dist');
const VERSION = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')).version as string;

/** The modules that run in a thread and post to their parent, and those that run as a process. */
function modulesBeside(): string[] {
  const packages = join(REPOSITORY, 'packages');
  const threads = readdirSync(packages).flatMap((name) => {
    const folder = join(packages, name, 'src');
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(
        (file) => /(?<!\.test)\.ts$/.test(file) && readFileSync(join(folder, file), 'utf8').includes('parentPort'),
      )
      .map((file) => basename(file, '.ts'));
  });
  return [...threads, 'document-reader', 'engine-main', 'engine-guard', 'picture-main'];
}

/** Its stream does not end by itself, whatever is in the path. */
const ENDLESS = '/ext/board/events';

describe('the built server and command line', () => {
  test('contain every module that runs in its own thread or process', () => {
    const modules = modulesBeside();
    expect(modules).toEqual(
      expect.arrayContaining(['document-reader', 'document-worker', 'engine-main', 'overlay-worker', 'page-worker']),
    );
    for (const folder of [SERVER, CLI]) {
      const files = new Set(readdirSync(folder));
      expect([folder, modules.filter((name) => !files.has(`${name}.js`))]).toEqual([folder, []]);
    }
  });

  test.each([
    ['server', join(SERVER, 'main.js')],
    ['command line', join(CLI, 'main.js')],
  ])('the %s prints its help and its version and exits 0', async (_name, main) => {
    const { stdout: help } = await run(process.execPath, [main, '--help']);
    expect(help).toMatch(/^Usage: /);
    const { stdout: version } = await run(process.execPath, [main, '--version']);
    expect(version).toBe(`${VERSION}\n`);
  });

  test.each([
    ['server', SERVER],
    ['command line', CLI],
  ])('the %s contains the compiled code of the files that a start reads', (_name, folder) => {
    const code = readFileSync(join(folder, 'compiled-code.bin'));
    const { engine, files } = JSON.parse(code.toString('utf8', 4, 4 + code.readUInt32LE(0)));
    expect(engine).toContain(process.version);
    expect(Object.keys(files)).toContain('program.js');
    expect(Object.keys(files).filter((file) => !existsSync(join(folder, file)))).toEqual([]);
  });

  test('print the same version everywhere', () => {
    const versions = ['apps', 'packages'].flatMap((group) =>
      readdirSync(join(REPOSITORY, group)).map(
        (name) => JSON.parse(readFileSync(join(REPOSITORY, group, name, 'package.json'), 'utf8')).version,
      ),
    );
    const { info } = JSON.parse(readFileSync(join(REPOSITORY, 'apps/server/openapi.json'), 'utf8'));
    expect(new Set([...versions, info.version, VERSION]).size).toBe(1);
  });

  test.each([SERVER, CLI])('every lazily loaded part of %s can be loaded', async (folder) => {
    const parts = readdirSync(folder).filter((name) => name.endsWith('.js'));
    // Programs start when they are loaded; those that are not separate parts cannot be started here.
    const programs = new Set(['main.js', ...modulesBeside().map((name) => `${name}.js`)]);
    const addresses = parts.filter((name) => !programs.has(name)).map((name) => pathToFileURL(join(folder, name)).href);
    const code = `const failed = [];
      for (const address of ${JSON.stringify(addresses)}) await import(address).catch((error) => failed.push([address, String(error)]));
      console.log(JSON.stringify(failed)); process.exit(0);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { maxBuffer: 1e8 });
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual([]);
  });
});

describe('the built server as a process', () => {
  let folder: Awaited<ReturnType<typeof tempDir>>;
  let server: ChildServer;
  let site: Site;
  beforeAll(async () => {
    folder = await tempDir();
    site = await startSite({ '/page': html('<html><head><title>Site</title></head><body><p>Text.</p></body></html>') });
    server = await startChild({ dataDir: folder.path });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  test('answers one read of every operation group without a 500', async () => {
    const reads = ROUTES.filter(({ method, path }) => method === 'GET' && !path.includes('ritorno'));
    const groups = new Map(
      reads.map((route) => [route.path.replace('/sessions/{sessionId}', '').split('/')[1], route]),
    );
    expect(groups.size).toBeGreaterThan(30);
    for (const { path } of reads) {
      if (path === ENDLESS) continue;
      const reply = await server.call('GET', path.replace('{path*}', 'a').replaceAll(/\{\w+\}/g, 'none'));
      expect([path, reply.status < 500 || reply.code !== 'INTERNAL_ERROR']).toEqual([path, true]);
    }
    const response = await fetch(`${server.url}api/v1${ENDLESS}`, { headers: { cookie: `svc_token=${TOKEN}` } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    await response.body?.cancel();
  });

  test('shows a local page with the element picker overlay', async () => {
    const { status, text } = await server.call('GET', '/browser/proxy', { query: { url: `${site.url}/page` } });
    expect([status, text.includes('<p>Text.</p>'), text.includes('<script')]).toEqual([200, true, true]);
  });

  test('serves every file of the built window', async () => {
    const files = readdirSync(WINDOW, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.(js|css|webmanifest|png)$/.test(name),
    );
    expect(files.length).toBeGreaterThan(50);
    for (const file of files) {
      const response = await fetch(`${server.url}${file}`, { headers: { cookie: `svc_token=${TOKEN}` } });
      const type = response.headers.get('content-type') ?? '';
      expect([file, response.status, /javascript|css|manifest|png/.test(type)]).toEqual([file, 200, true]);
      await response.body?.cancel();
    }
  });
});

test('the window can be installed: its manifest names icons that exist in their sizes', () => {
  const html = readFileSync(join(WINDOW, 'index.html'), 'utf8');
  expect(html).toContain('<link rel="manifest" href="/manifest.webmanifest" />');
  const manifest = JSON.parse(readFileSync(join(WINDOW, 'manifest.webmanifest'), 'utf8'));
  expect(manifest).toMatchObject({ name: 'Fucina', start_url: '/', display: 'standalone' });
  for (const { src, sizes } of manifest.icons as { src: string; sizes: string }[]) {
    const png = readFileSync(join(WINDOW, src));
    // Width and height of the header.
    expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
  }
});

test('the scripts behind npm start, npm run demo and npm run bench find every built file they load', () => {
  const root = join(import.meta.dirname, '../../..');
  const missing = ['scripts', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { encoding: 'utf8' })
      .filter((name) => name.endsWith('.mjs'))
      .flatMap((name) => {
        const source = readFileSync(join(root, folder, name), 'utf8');
        const named = [...source.matchAll(/['"](?:\.\.\/)?((?:apps|packages)\/[\w-]+\/dist\/[\w/.-]+\.js)['"]/g)];
        return named.filter(([, path = '']) => !existsSync(join(root, path))).map(([, path]) => `${name}: ${path}`);
      }),
  );
  expect(missing).toEqual([]);
});
