import type { Ambient, ControlWrite } from '@fucina/shared';
import type { ControlFolder } from './control-folders.ts';
import { controlNames, isLinkIdentity } from './control-names.ts';
import { holdsRepositories, removeControlEntry, type SeenEntry } from './control-removal.ts';

/**
 * Finds control files that a command created: existing ones are mounted read-only, but a mount needs an existing path.
 * New ones are removed at once and passed to the user for a decision.
 */
export interface ControlGuard {
  /** The control files that the command wrote, removed from the folder. Never rejects. */
  settle(): Promise<readonly ControlWrite[]>;
}

export interface GuardNeeds {
  ambient: Ambient;
  folder: string;
  /** The result of `look` before the command started. */
  before: readonly ControlFolder[];
  look(): Promise<readonly ControlFolder[]>;
  /** A rule of the user lets commands write this path, relative to the folder. Default: none does. */
  isOpened?(path: string): boolean;
}

const MAX_ROUNDS = 8;

export async function guardControlFiles(needs: GuardNeeds): Promise<ControlGuard> {
  const { ambient, folder, before, look, isOpened = () => false } = needs;
  // A file that a rule allows can be renamed: under another name it is a new control file.
  const closed = [...(await controlNames(folder, before))].filter(([path]) => !isOpened(path));
  const known = new Set(closed.map(([, identity]) => identity));
  // A command cannot replace those at the root, because they are mounted. If one is a different file now, the user's
  // editor replaced it.
  const atRoot = await controlNames(folder, before.slice(0, 1));
  const isReplacedByUser = (path: string): boolean => {
    const before = atRoot.get(path);
    return before !== undefined && !isLinkIdentity(before);
  };
  const unexpected = async (): Promise<SeenEntry[]> => {
    const names = await controlNames(folder, await look());
    return [...names].flatMap(([path, identity]) =>
      known.has(identity) || isReplacedByUser(path) || isOpened(path) ? [] : [{ path, identity }],
    );
  };
  return {
    async settle() {
      const found = new Map<string, ControlWrite>();
      const stays = new Set<string>();
      try {
        // Another command may rename what was seen: it is looked for again.
        for (let round = 0; round < MAX_ROUNDS; round += 1) {
          const entries = (await unexpected()).filter(({ path }) => !stays.has(path));
          if (entries.length === 0) break;
          for (const seen of entries) {
            if (holdsRepositories(seen.path)) stays.add(seen.path);
            const writes = await removeControlEntry(needs, seen).catch((error: unknown): ControlWrite[] => {
              ambient.log.error('sandbox.control-file-left', { error });
              stays.add(seen.path);
              return [{ path: seen.path, content: null, isLeft: true }];
            });
            for (const write of writes) found.set(write.path, write);
          }
        }
      } catch (error) {
        ambient.log.error('sandbox.control-files-unchecked', { error });
      }
      return [...found.values()];
    },
  };
}
