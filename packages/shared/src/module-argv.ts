import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Node and its arguments for a module of ours in a process of its own (see `moduleBeside`). A source runs with tsx. */
export function moduleArgv(module: URL): [string, ...string[]] {
  if (!module.pathname.endsWith('.ts')) return [process.execPath, fileURLToPath(module)];
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx/package.json'));
  const loader = new URL('./dist/esm/index.mjs', tsx).href;
  return [process.execPath, '--conditions=@fucina/source', '--import', loader, fileURLToPath(module)];
}
