import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Program of the MCP project's own test server, for `node`. */
export const EVERYTHING = join(
  createRequire(join(import.meta.dirname, '../../../packages/extensions/package.json')).resolve(
    '@modelcontextprotocol/server-everything/package.json',
  ),
  '../dist/index.js',
);
