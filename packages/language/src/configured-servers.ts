import { readFile } from 'node:fs/promises';
import { readJson, systemCode } from '@fucina/shared';
import * as z from 'zod';
import type { ServerKind } from './server-table.ts';

/** The servers of the user's own file, or why it cannot be read. */
export interface ConfiguredServers {
  kinds: readonly ServerKind[];
  problem: string | null;
}

const name = z.string().min(1).max(200);
const entry = z.strictObject({
  id: name.regex(/^[\w.-]+$/),
  program: z.string().min(1).max(4096),
  args: z.array(z.string().max(4096)).max(64).default([]),
  languages: z.record(z.string().regex(/^\.[\w.+-]{1,30}$/), name),
  environment: z.record(name, z.string().max(4096)).optional(),
  options: z.looseObject({}).optional(),
});
const entries = z.array(entry).max(64);

/** None for a file that does not exist. */
export async function readConfiguredServers(file: string): Promise<ConfiguredServers> {
  try {
    const read = await readJson(await readFile(file, 'utf8'), file, entries);
    return 'problem' in read ? { kinds: [], problem: read.problem } : { kinds: read.value, problem: null };
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return { kinds: [], problem: code === 'ENOENT' ? null : `${file}: ${code}` };
  }
}
