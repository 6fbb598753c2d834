import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tool } from '@fucina/shared';
import * as z from 'zod';
import { call, finish, say } from '../src/testing.ts';

/** Writes, deletes (null) or makes executable (true) as a command would. */
export const changeFilesTool: Tool<{ files: Record<string, string | boolean | null> }> = {
  name: 'prova',
  description: 'runs',
  category: 'base',
  effect: 'process',
  gate: 'prova',
  input: z.object({ files: z.record(z.string(), z.union([z.string(), z.boolean(), z.null()])) }),
  action: () => ({ tipo: 'prova' }),
  async run({ files }, { folder }) {
    for (const [path, content] of Object.entries(files)) {
      const file = join(folder, path);
      await mkdir(join(file, '..'), { recursive: true });
      if (content === null) await rm(file);
      else if (typeof content === 'string') await writeFile(file, content);
      else await chmod(file, 0o755);
    }
    return { content: 'done' };
  },
};

/** Two answers of the model: a call of the tool above, then words. */
export const turnThatChanges = (id: string, files: Record<string, string | boolean | null>) => [
  { events: [...say(`changing ${id} `), ...call(id, 'prova', { files }), finish('tool-calls' as const)] },
  { events: say(`changed ${id}`) },
];
