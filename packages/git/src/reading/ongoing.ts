import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readRegularFile } from '@fucina/shared';
import type { GitFolder } from '../repository/git-folder.ts';

/** An unfinished git operation: it waits for resolved conflicts, or for the next step. */
export interface OngoingOperation {
  kind: 'merge' | 'rebase' | 'apply' | 'cherry-pick' | 'revert' | 'bisect';
  /** The branch being rebased, or where bisect started; null if there is none. */
  branch: string | null;
  /** Progress of a rebase. */
  step: number | null;
  steps: number | null;
}

const MAX_BYTES = 64 * 1024;
const MAX_TEXT = 1_000;

/**
 * Null when none is in progress. A rebase with merges also leaves the files of a merge: it is reported as a rebase.
 */
export async function readOngoing({ repository }: GitFolder): Promise<OngoingOperation | null> {
  const at = (name: string): string => join(repository.gitDir, name);
  const text = async (name: string): Promise<string | undefined> => {
    const content = await readRegularFile(at(name), MAX_BYTES);
    return content?.toString('utf8').slice(0, MAX_TEXT).trim();
  };
  const has = (name: string): Promise<boolean> =>
    stat(at(name)).then(
      () => true,
      () => false,
    );
  const number = async (name: string): Promise<number | null> => {
    const found = Number((await text(name)) ?? Number.NaN);
    return Number.isSafeInteger(found) ? found : null;
  };
  const rebaseIn = async (folder: string, [step, steps]: [string, string]): Promise<OngoingOperation> => ({
    kind: (await has(`${folder}/applying`)) ? 'apply' : 'rebase',
    branch: branchOf(await text(`${folder}/head-name`)),
    step: await number(`${folder}/${step}`),
    steps: await number(`${folder}/${steps}`),
  });
  if (await has('rebase-merge')) return rebaseIn('rebase-merge', ['msgnum', 'end']);
  if (await has('rebase-apply')) return rebaseIn('rebase-apply', ['next', 'last']);
  const alone = { branch: null, step: null, steps: null };
  if (await has('CHERRY_PICK_HEAD')) return { kind: 'cherry-pick', ...alone };
  if (await has('REVERT_HEAD')) return { kind: 'revert', ...alone };
  if (await has('MERGE_HEAD')) return { kind: 'merge', ...alone };
  if (await has('BISECT_LOG')) return { kind: 'bisect', ...alone, branch: branchOf(await text('BISECT_START')) };
  return null;
}

function branchOf(name: string | undefined): string | null {
  if (name === undefined || name === '' || name === 'detached HEAD') return null;
  return /^[\da-f]{40,64}$/.test(name) ? null : name.replace(/^refs\/heads\//, '');
}
