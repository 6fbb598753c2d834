import { createHash } from 'node:crypto';
import type { ProgramTrust, RepositoryProgram } from '../programs/program-trust.ts';
import { commonDirOf, type Repository } from '../repository/repository.ts';
import type { HookFiles } from './hook-files.ts';

/** Where a trusted hook runs: `outside` the sandbox it can do all that the user can. */
export type HookPlace = 'sandboxed' | 'outside';

/** How a hook runs from now on, as long as its files are the same. */
export interface HookTrust {
  runs: HookPlace;
  /** It is ended after `HOOK_LIMIT_MS`. */
  hasTimeLimit: boolean;
}

const CHOICES: readonly HookTrust[] = (['sandboxed', 'outside'] as const).flatMap((runs) =>
  [true, false].map((hasTimeLimit) => ({ runs, hasTimeLimit })),
);

/** How the user trusts this content of a hook; undefined: not at all. */
export async function trustOf(
  trust: ProgramTrust | undefined,
  repository: Repository,
  hook: HookFiles,
): Promise<HookTrust | undefined> {
  if (!trust) return undefined;
  for (const choice of CHOICES) if (await trust.isTrusted(await programOf(repository, hook, choice))) return choice;
  return undefined;
}

/** One choice per hook is stored, the last; undefined withdraws the trust. */
export async function storeTrust(
  trust: ProgramTrust,
  repository: Repository,
  { hook, choice }: { hook: HookFiles; choice: HookTrust | undefined },
): Promise<void> {
  await trust.trust(await programOf(repository, hook, choice));
}

async function programOf(
  repository: Repository,
  { name, fingerprint }: HookFiles,
  choice: HookTrust | undefined,
): Promise<RepositoryProgram> {
  const content = JSON.stringify([fingerprint, choice?.runs ?? 'never', choice?.hasTimeLimit ?? true]);
  const sha256 = createHash('sha256').update(content).digest('hex');
  return { id: `git-hook-${name}`, folder: await commonDirOf(repository), sha256 };
}
