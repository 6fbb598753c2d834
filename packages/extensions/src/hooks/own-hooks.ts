import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, namesIn, systemCode, writeFileAtomically } from '@fucina/shared';
import * as z from 'zod';
import { type OwnReference, placeName } from '../own/reference.ts';
import { declaredId } from '../project-file.ts';
import { type HookDefinition, hookDefinition } from './hooks-file.ts';

/** A hook that the user added; `problem` when its file cannot be read. */
export type OwnHook = OwnReference & ({ definition: HookDefinition } | { problem: string });

/** Hooks of the user: one file each in the data folder, for every project or for one. */
export interface OwnHooks {
  /** Those of every project, then those of this one. */
  list(folder: string | undefined): Promise<OwnHook[]>;
  find(reference: OwnReference): Promise<OwnHook | undefined>;
  save(reference: OwnReference, definition: HookDefinition): Promise<void>;
  /** False when there is no such hook. */
  remove(reference: OwnReference): Promise<boolean>;
}

const stored = z.object({ version: z.literal(1), folder: z.string().nullable(), definition: hookDefinition });
const ENDING = '.json';

export function createOwnHooks(dataDir: string): OwnHooks {
  const root = join(dataDir, 'extensions', 'hooks');
  const fileOf = ({ folder, id }: OwnReference): string => join(root, placeName(folder), `${id}${ENDING}`);
  const read = async (reference: OwnReference): Promise<OwnHook | undefined> => {
    try {
      const parsed = stored.safeParse(JSON.parse(await readFile(fileOf(reference), 'utf8')));
      if (!parsed.success) return { ...reference, problem: parsed.error.issues[0]?.message ?? 'not a hook' };
      return { ...reference, definition: parsed.data.definition };
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      if (error instanceof SyntaxError) return { ...reference, problem: error.message };
      throw error;
    }
  };
  const listOf = async (folder: string | null): Promise<OwnHook[]> => {
    const names = (await namesIn(join(root, placeName(folder)))).filter((name) => name.endsWith(ENDING)).sort();
    const scope = folder === null ? 'everywhere' : 'project';
    const found = await Promise.all(names.map((name) => read({ scope, folder, id: name.slice(0, -ENDING.length) })));
    return found.filter((hook) => hook !== undefined);
  };
  return {
    async list(folder) {
      // Asked around each tool call, and most users have none.
      if (isMissing(root)) return [];
      const [everywhere, own] = await Promise.all([listOf(null), folder === undefined ? [] : listOf(folder)]);
      return [...everywhere, ...own];
    },
    find: async (reference) => (declaredId.safeParse(reference.id).success ? read(reference) : undefined),
    async save(reference, definition) {
      const { folder } = reference;
      await mkdir(join(root, placeName(folder)), { recursive: true, mode: 0o700 });
      await writeFileAtomically(fileOf(reference), `${JSON.stringify({ version: 1, folder, definition })}\n`);
    },
    async remove(reference) {
      if (!(await this.find(reference))) return false;
      await rm(fileOf(reference), { force: true });
      return true;
    },
  };
}
