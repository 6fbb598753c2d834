import type { Services } from '@fucina/host';
import { cleanText } from '../../clean-text.ts';
import type { Place } from './git-place.ts';
import { oneLine } from './listing.ts';

type Programs = Services['folderGit']['programs'];
export type RepositoryPrograms = Awaited<ReturnType<Programs['read']>>;
export type HookState = RepositoryPrograms['hooks'][number];
type HookChoice = Parameters<Programs['chooseHook']>[1];

/** Where hooks run that the flags of a commit decide about: all of them, once. */
export async function chooseForNext({ services, folder, flags, terminal }: Place): Promise<void> {
  const runs = flags.skipHooks === true ? 'skip-once' : flags.hooksOutside === true ? 'outside-once' : undefined;
  if (runs === undefined) return;
  const { programs } = services.folderGit;
  const { hooks } = await programs.read(folder);
  // Only what the user trusts already may run outside: a commit shows no content of hooks.
  const chosen = hooks.filter((hook) => runs === 'skip-once' || hook.runs !== null);
  for (const { name, fingerprint } of chosen) await programs.chooseHook(folder, { name, fingerprint, runs });
  if (runs === 'outside-once' && chosen.length > 0) terminal.err(terminal.say('git.hooks-outside-warning'));
}

/** Output of the hooks on standard error while the operation runs; Ctrl+C ends the hook and with it the operation. */
export async function withHookOutput<T>(
  { services, folder, terminal: { io }, signal }: Place,
  act: () => Promise<T>,
): Promise<T> {
  const { programs } = services.folderGit;
  const unfollow = await programs.followHooks(folder, (text) => void io.stderr.write(cleanText(text)));
  const stop = (): void => void programs.stopHook(folder);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await act();
  } finally {
    unfollow();
    signal.removeEventListener('abort', stop);
  }
}

/** All that the trust in a hook is bound to. */
export function showHookFiles({ files }: HookState, { terminal: { err, say, errorStyle: style } }: Place): void {
  for (const { path, text, isCut } of files) {
    err(`  ${style.accent(oneLine(path))}`);
    for (const line of cleanText(text).trimEnd().split('\n')) err(`    ${line}`);
    if (isCut) err(`    ${say('git.hook-file-cut')}`);
  }
}

export function hookChoice({ name, fingerprint }: HookState, { flags }: Place): HookChoice {
  const runs = flags.never === true ? 'never' : flags.outside === true ? 'outside' : 'sandboxed';
  return { name, fingerprint, runs, hasTimeLimit: flags.withoutLimit !== true };
}
