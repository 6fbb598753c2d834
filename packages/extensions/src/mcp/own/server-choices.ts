import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode, writeFileAtomically } from '@fucina/shared';
import * as z from 'zod';
import { placeName } from '../../own/reference.ts';
import type { ServerReference } from '../known-server.ts';

const stored = z.object({ isOn: z.boolean(), offTools: z.array(z.string().max(256)).max(1_024) });
/** Whether a server is used, and which of its tools are not. */
export type ServerChoice = z.infer<typeof stored>;

const DEFAULT: ServerChoice = { isOn: true, offTools: [] };

/** The user's choices, outside of the projects: also about servers that a project declares. */
export interface ServerChoices {
  of(reference: ServerReference): Promise<ServerChoice>;
  save(reference: ServerReference, choice: ServerChoice): Promise<void>;
  forget(reference: ServerReference): Promise<void>;
}

export function createServerChoices(dataDir: string): ServerChoices {
  const folderOf = ({ scope, folder }: ServerReference): string =>
    join(dataDir, 'mcp', 'choices', `${scope}-${placeName(folder)}`);
  return {
    async of(reference) {
      try {
        const text = await readFile(join(folderOf(reference), `${reference.id}.json`), 'utf8');
        return stored.parse(JSON.parse(text));
      } catch (error) {
        if (systemCode(error) === 'ENOENT') return DEFAULT;
        // Damaged: off is the choice that does no harm.
        if (error instanceof SyntaxError || error instanceof z.ZodError) return { ...DEFAULT, isOn: false };
        throw error;
      }
    },
    forget: (reference) => rm(join(folderOf(reference), `${reference.id}.json`), { force: true }),
    async save(reference, choice) {
      await mkdir(folderOf(reference), { recursive: true, mode: 0o700 });
      await writeFileAtomically(join(folderOf(reference), `${reference.id}.json`), `${JSON.stringify(choice)}\n`);
    },
  };
}
