import { createRequire } from 'node:module';
import type Database from 'better-sqlite3';

const NODE_API_OF_13 = 10;
let loaded: typeof Database | undefined;

/**
 * The native driver, loaded at first use: a process without a store does not load it. Version 13 needs Node-API 10
 * (22.14 and later) and crashes Node 20; version 12 crashes Node 24.19 and later when a statement is collected. Each is
 * installed where it works: `.pnpmfile.cjs`.
 */
export function sqliteDriver(): typeof Database {
  const name = Number(process.versions.napi) >= NODE_API_OF_13 ? 'better-sqlite3' : 'better-sqlite3-12';
  loaded ??= createRequire(import.meta.url)(name) as typeof Database;
  return loaded;
}
