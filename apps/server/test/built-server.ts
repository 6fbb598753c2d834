import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as Source from '../src/server.ts';

const BUNDLE = join(import.meta.dirname, '../dist/server.js');
if (!existsSync(BUNDLE)) throw new Error('apps/server/dist/server.js is missing: run `npm run build`');

/**
 * The server as users run it: its bundle, with the worker files and lazy parts. Loaded by the first test that runs it
 * in-process.
 */
export const startServer: typeof Source.startServer = async (options) => {
  const bundle = (await import(BUNDLE)) as Pick<typeof Source, 'startServer'>;
  return bundle.startServer(options);
};
