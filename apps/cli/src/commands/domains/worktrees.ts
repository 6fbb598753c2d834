import type { Services, UsedWorktree } from '@fucina/host';
import { AppError } from '@fucina/shared';
import { cleanText } from '../../clean-text.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { withHost } from '../../open-host.ts';
import type { Terminal } from '../../terminal.ts';
import { runSetup, terminalReporter } from '../../worktree-setup.ts';
import { type Flags, oneLine, reportDone, show } from './listing.ts';

/** Those of the current folder's repository; with --all those of every repository. */
export async function listWorktrees(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, style } = terminal;
  const place = flags.all ? {} : { path: io.cwd };
  const rows = await withHost(io, flags, ({ services }) => services.worktrees.list(place));
  const cells = (row: UsedWorktree) => [
    { text: oneLine(row.name, 60), paint: style.accent },
    { text: oneLine(row.state?.branch ?? say(row.state ? 'worktrees.detached' : 'worktrees.gone'), 80) },
    { text: factsOf(row, terminal) },
    { text: oneLine(row.path, 200), paint: style.muted },
  ];
  show({ name: 'worktrees', rows, empty: say('worktrees.none'), cells }, flags, terminal);
  return EXIT.done;
}

function factsOf({ state, sessionIds }: UsedWorktree, { say }: Terminal): string {
  const facts = [
    state && state.changedCount > 0 ? say('worktrees.changed', { count: state.changedCount }) : '',
    state?.ahead ? `↑${state.ahead}` : '',
    state?.behind ? `↓${state.behind}` : '',
    say('worktrees.sessions', { count: sessionIds.length }),
  ];
  return facts.filter(Boolean).join(' ');
}

export async function mergeWorktree(flags: Flags, [name = '']: string[], terminal: Terminal): Promise<ExitCode> {
  return withHost(terminal.io, flags, async ({ services }) =>
    mergeBack(await worktreeNamed(name, services, terminal), { services, flags, terminal }),
  );
}

interface MergeContext {
  services: Services;
  flags: Flags;
  terminal: Terminal;
}

/** Exit 1 with the files in conflict: nothing was merged then. */
export async function mergeBack(row: UsedWorktree, { services, flags, terminal }: MergeContext): Promise<ExitCode> {
  const { say, out, err } = terminal;
  const message = typeof flags.message === 'string' ? flags.message : undefined;
  const merged = await services.worktrees.merge(row.id, { message, isRebase: flags.rebase === true });
  const into = merged.into ?? row.source;
  if (flags.json) out(JSON.stringify(merged));
  else if (merged.isMerged) out(say('worktrees.merged', { name: row.name, into }));
  else {
    err(say('worktrees.conflicts', { into }));
    for (const path of merged.conflicts) out(oneLine(path, 500));
  }
  const { hooksNotRun, hooksFailed } = merged;
  if (hooksNotRun) err(say('git.hooks-not-run', { names: hooksNotRun.join(', ') }));
  if (hooksFailed) err(say('git.hooks-failed', { names: hooksFailed.join(', ') }));
  return merged.isMerged ? EXIT.done : EXIT.failed;
}

/** Shows the script when it is not trusted; exit 1 when it fails. */
export async function setUp(flags: Flags, [name = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { say, out, err } = terminal;
  return withHost(terminal.io, flags, async ({ services }) => {
    const { id } = await worktreeNamed(name, services, terminal);
    const { script } = await services.worktrees.setup.read(id);
    if (!script) throw new AppError('NOT_FOUND', { reason: 'setup-script' });
    const { path, fingerprint, text } = script;
    if (!script.isTrusted && flags.trust !== true) {
      out(cleanText(text.trimEnd()));
      err(say('worktrees.setup-untrusted', { path, name }));
      return EXIT.failed;
    }
    const reporter = terminalReporter(terminal);
    const isDone = await runSetup({ id, path, fingerprint }, { worktrees: services.worktrees, reporter });
    if (isDone) reportDone(say('worktrees.setup-done', { path }), { id, isDone }, { flags, terminal });
    return isDone ? EXIT.done : EXIT.failed;
  });
}

export async function removeWorktree(flags: Flags, [name = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const row = await withHost(terminal.io, flags, async ({ services }) => {
    const found = await worktreeNamed(name, services, terminal);
    const removal = { isForced: flags.force === true, deletesBranch: flags.deleteBranch === true };
    await services.withReserve(() => services.worktrees.remove(found.id, removal));
    return found;
  });
  reportDone(
    terminal.say('worktrees.removed', { name: row.name }),
    { id: row.id, isRemoved: true },
    { flags, terminal },
  );
  return EXIT.done;
}

/** By name or id, in the current folder's repository first. NOT_FOUND. */
async function worktreeNamed(name: string, { worktrees }: Services, { io }: Terminal): Promise<UsedWorktree> {
  const isMeant = (row: UsedWorktree): boolean => row.name === name || row.id === name;
  const here = await worktrees.list({ path: io.cwd }).catch(() => []); // outside a repository
  const found = here.find(isMeant) ?? (await worktrees.list({})).find(isMeant);
  if (!found) throw new AppError('NOT_FOUND');
  return found;
}
