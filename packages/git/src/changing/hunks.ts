import { isAppError } from '@fucina/shared';
import { gitError } from '../errors.ts';
import { type DiffArea, diffBytes, headerOf, shownDiff } from '../reading/diff.ts';
import { type RepositoryState, readEntries, readState } from '../reading/status.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { checkPath } from '../repository/paths.ts';
import { WRITE_MS } from '../run/launcher.ts';
import { copyBeforeDiscard, storeDiscard } from './discards.ts';

export type HunkAction = 'stage' | 'unstage' | 'discard';

export interface HunkRequest {
  path: string;
  area: DiffArea;
  /** From 0, in the order of the diff. */
  index: number;
  /** Hash of the diff that the user saw. */
  fingerprint: string;
  action: HunkAction;
}

const AREAS: Record<HunkAction, DiffArea> = { stage: 'work', unstage: 'staged', discard: 'work' };
const APPLY: Record<HunkAction, readonly string[]> = {
  stage: ['--cached'],
  unstage: ['--cached', '--reverse'],
  discard: ['--reverse'],
};
/** Changes beyond lines (mode, rename, binary): only the whole file can be staged or discarded. */
const WHOLE =
  /^(old mode|new mode|new file|deleted file|rename |copy |similarity|Binary files|GIT binary|index \S+ 160000$)/m;

/**
 * Stages, unstages or discards one hunk of a file. Throws GIT_HUNK_INVALID, GIT_DIFF_CHANGED, GIT_HUNK_UNSUPPORTED,
 * GIT_HUNK_FAILED, GIT_CONFLICTS; a failure changes nothing.
 */
export async function applyHunk(place: GitFolder, request: HunkRequest): Promise<RepositoryState> {
  const { path, area, index, fingerprint, action } = request;
  if (AREAS[action] !== area) throw gitError('GIT_HUNK_INVALID', { reason: 'area' });
  const bytes = await differenceOf(place, path, area);
  const changed = (await readEntries(place)).find((entry) => entry.path === path);
  if (changed?.isConflict) throw gitError('GIT_CONFLICTS');
  if (shownDiff(bytes).fingerprint !== fingerprint) throw gitError('GIT_DIFF_CHANGED');
  const patch = patchOf(bytes, [index]);
  const args = ['apply', '--whitespace=nowarn', '--no-ignore-whitespace', ...APPLY[action], '-'];
  const folder = place.repository.root;
  const before =
    action === 'discard' && changed ? await copyBeforeDiscard(place.repository, changed.rawPath) : undefined;
  const outcome = await place.git.run(args, { input: patch, timeoutMs: WRITE_MS, folder, isFilterChecked: true });
  const isApplied = outcome.exitCode === 0;
  if (before && changed) await storeDiscard(place, before, isApplied ? [changed.rawPath] : []);
  if (!isApplied) throw gitError('GIT_HUNK_FAILED', { details: { stderr: outcome.stderr } });
  return readState(place);
}

async function differenceOf(place: GitFolder, path: string, area: DiffArea): Promise<Buffer> {
  try {
    return await diffBytes(place, checkPath(path), area);
  } catch (error) {
    if (isAppError(error, 'GIT_PATH_INVALID')) throw gitError('GIT_HUNK_INVALID', { reason: 'path', cause: error });
    throw error;
  }
}

/**
 * The patch of some hunks of a diff, by their numbers. Throws GIT_HUNK_UNSUPPORTED when more than lines changed, and
 * GIT_HUNK_INVALID.
 */
export function patchOf(bytes: Buffer, indexes: readonly number[]): Buffer {
  const header = headerOf(bytes);
  if (WHOLE.test(header)) throw gitError('GIT_HUNK_UNSUPPORTED');
  const hunks = hunksOf(bytes);
  const chosen = [...new Set(indexes)].sort((one, other) => one - other).map((index) => hunks[index]);
  if (chosen.length === 0) throw gitError('GIT_HUNK_INVALID', { reason: 'index' });
  return Buffer.concat([
    Buffer.from(header, 'latin1'),
    ...chosen.map((hunk) => {
      if (!hunk) throw gitError('GIT_HUNK_INVALID', { reason: 'index' });
      return hunk;
    }),
  ]);
}

/** Lines of a hunk begin with a sign, so a line that begins with `@@` begins a hunk. */
function hunksOf(bytes: Buffer): Buffer[] {
  const starts: number[] = [];
  for (let at = bytes.indexOf('\n@@ '); at >= 0; at = bytes.indexOf('\n@@ ', at + 1)) starts.push(at + 1);
  return starts.map((start, position) => bytes.subarray(start, starts[position + 1] ?? bytes.length));
}
