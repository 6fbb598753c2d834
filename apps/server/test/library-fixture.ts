import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createNpmRegistry, type NpmRegistry, type TempDir, tempDir } from '@fucina/testkit';
import { type TestServer, type TestServerOptions, testServer } from './harness.ts';

export interface WithoutLibrary extends AsyncDisposable {
  server: TestServer;
  registry: NpmRegistry;
}

/** A server of a build without the library of local models, and the registry that has a small one in its place. */
export async function serverWithoutLibrary(options: TestServerOptions = {}, hasList = true): Promise<WithoutLibrary> {
  const registry = await createNpmRegistry({
    name: 'node-llama-cpp',
    version: '1.2.3',
    main: 'index.js',
    files: { 'index.js': 'module.exports = 1;\n' },
  });
  const folder: TempDir = await tempDir();
  const list = { version: '1.2.3', bytes: 2_000, lock: registry.lock };
  if (hasList) await folder.write({ 'list.json': JSON.stringify(list) });
  await folder.write({ 'data/.keep': '' });
  const dataDir = join(folder.path, 'data');
  const main = join(dataDir, 'engine-library/node_modules/node-llama-cpp/index.js');
  const { FUCINA_LLAMA_SERVER: _program, ...inherited } = process.env;
  const environment = { ...inherited, npm_config_registry: registry.url, npm_config_fetch_retries: '0' };
  const server = await testServer({
    ...options,
    dataDir,
    settings: { ...options.settings, environment },
    engineLibrary: {
      list: pathToFileURL(join(folder.path, 'list.json')),
      library: () => (existsSync(main) ? pathToFileURL(main).href : undefined),
    },
  });
  return {
    server,
    registry,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await registry[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
