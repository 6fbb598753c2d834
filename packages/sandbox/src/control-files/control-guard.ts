import type { Ambient, ControlWrite } from '@fucina/shared';
import type { ApprovedContents } from './approved-contents.ts';
import type { ControlFolder } from './control-folders.ts';
import { controlNames, isLinkIdentity } from './control-names.ts';
import { digestOf, holdsRepositories, removeControlEntry, type SeenEntry } from './control-removal.ts';

/**
 * Finds control files that a command created: existing ones are mounted read-only, but a mount needs an existing path.
 * New ones are removed at once and passed to the user for a decision.
 */
export interface ControlGuard {
  /** After the command: the control files that it wrote, removed from the folder. Never rejects. */
  settle(): Promise<readonly ControlWrite[]>;
  /** The same while it runs. */
  look(): Promise<readonly ControlWrite[]>;
  /** The identities of control files that were there before. */
  known: ReadonlySet<string>;
  /** Paths of those at the root that only the user can replace. */
  replaceable: readonly string[];
}

export interface GuardNeeds {
  ambient: Ambient;
  folder: string;
  /** The result of `look` before the command started. */
  before: readonly ControlFolder[];
  look(): Promise<readonly ControlFolder[]>;
  /** A rule of the user lets commands write this path, relative to the folder. Default: none does. */
  isOpened?(path: string): boolean;
  approved: Pick<ApprovedContents, 'has' | 'isNear'>;
}

const MAX_ROUNDS = 8;

export async function guardControlFiles(needs: GuardNeeds): Promise<ControlGuard> {
  const { ambient, folder, before, look, isOpened = () => false, approved } = needs;
  // A file that a rule allows can be renamed: under another name it is a new control file.
  const closed = [...(await controlNames(folder, before))].filter(([path]) => !isOpened(path));
  const known = new Set(closed.map(([, identity]) => identity));
  const replaceable = await replaceablePaths(needs);
  const isReplacedByUser = replacements(folder, replaceable);
  const left = new Set<string>();

  const unexpected = async (): Promise<SeenEntry[]> => {
    const names = await controlNames(folder, await look());
    const seen: SeenEntry[] = [];
    for (const [path, identity] of names) {
      if (known.has(identity) || isOpened(path) || left.has(path)) continue;
      if (!(await isReplacedByUser(path))) seen.push({ path, identity });
    }
    return seen;
  };
  const remove = async (seen: SeenEntry, isFinal: boolean): Promise<ControlWrite[]> => {
    try {
      return await removeControlEntry({ ambient, folder, approved, isFinal }, seen);
    } catch (error) {
      ambient.log.error('sandbox.control-file-left', { error });
      left.add(seen.path);
      return [{ path: seen.path, content: null, isLeft: true }];
    }
  };
  const round = async (isFinal: boolean): Promise<readonly ControlWrite[]> => {
    const now = new Map<string, ControlWrite>();
    const stays = new Set<string>();
    try {
      // Another command may rename what was seen: it is looked for again.
      for (let count = 0; count < MAX_ROUNDS; count += 1) {
        const entries = (await unexpected()).filter(({ path }) => !stays.has(path));
        if (entries.length === 0) break;
        for (const seen of entries) {
          if (holdsRepositories(seen.path) || approved.isNear(folder, seen.path)) stays.add(seen.path);
          for (const write of await remove(seen, isFinal)) now.set(write.path, write);
        }
      }
    } catch (error) {
      ambient.log.error('sandbox.control-files-unchecked', { error });
    }
    return [...now.values()];
  };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (isFinal: boolean): Promise<readonly ControlWrite[]> => {
    const result = last.then(() => round(isFinal));
    last = result;
    return result;
  };
  return { known, replaceable, look: () => inTurn(false), settle: () => inTurn(true) };
}

/**
 * A command cannot replace those at the root, because they are mounted. If one is a different file now, the user's editor
 * replaced it.
 */
async function replaceablePaths({ folder, before }: GuardNeeds): Promise<string[]> {
  const atRoot = await controlNames(folder, before.slice(0, 1));
  return [...atRoot].flatMap(([path, identity]) => (isLinkIdentity(identity) ? [] : [path]));
}

/** From then on it is no longer mounted: only the content that was seen first is the user's. */
function replacements(folder: string, paths: readonly string[]): (path: string) => Promise<boolean> {
  const contents = new Map<string, string>();
  return async (path) => {
    if (!paths.includes(path)) return false;
    const digest = await digestOf(folder, path);
    if (digest === undefined) return true;
    if (!contents.has(path)) contents.set(path, digest);
    return contents.get(path) === digest;
  };
}
