import type { Services, UsedWorktree } from '@fucina/host';
import type { Terminal } from './terminal.ts';
import type { Words } from './words/index.ts';

/** Shows what the set-up of a new worktree does. */
export interface SetupReporter {
  /** Output of the script, as it arrives. */
  write(text: string): void;
  report(key: keyof Words, params: Record<string, string>): void;
}

/** Runs the project's set-up script, if the user trusts it. The session can start whatever it does. */
export async function setUpWorktree(
  { id, name }: Pick<UsedWorktree, 'id' | 'name'>,
  { worktrees }: Pick<Services, 'worktrees'>,
  reporter: SetupReporter,
): Promise<void> {
  const { script } = await worktrees.setup.read(id);
  if (!script) return;
  const { path } = script;
  if (!script.isTrusted) return reporter.report('worktrees.setup-untrusted', { path, name });
  await runSetup({ id, path }, { worktrees, reporter });
}

/** True when it succeeded. `fingerprint`: of the content that the user trusts with this call. */
export async function runSetup(
  { id, path, fingerprint }: { id: string; path: string; fingerprint?: string },
  { worktrees, reporter }: Pick<Services, 'worktrees'> & { reporter: SetupReporter },
): Promise<boolean> {
  reporter.report('worktrees.setup-running', { path });
  const { ended } = await worktrees.setup.start(id, { fingerprint, onText: reporter.write });
  const { state, exitCode, enforcement } = await ended;
  if (enforcement === 'none') reporter.report('worktrees.setup-unsandboxed', { path });
  if (state === 'succeeded') return true;
  reporter.report('worktrees.setup-failed', { path, code: String(exitCode ?? '-') });
  return false;
}

/** On standard error. */
export function terminalReporter({ io, err, say }: Terminal): SetupReporter {
  return {
    write: (text) => void io.stderr.write(text),
    report: (key, params) => err(say(key, params)),
  };
}
