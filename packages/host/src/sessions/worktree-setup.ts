import { createHash } from 'node:crypto';
import type { Extensions } from '@fucina/extensions';
import type { Git } from '@fucina/git';
import { type Ambient, commonError, PathError, readFileInside, textEnd } from '@fucina/shared';
import type { Commands, ScriptEnd } from '@fucina/tools';

/** The script of a project that prepares a new worktree. */
export interface SetupScript {
  /** Relative to the work tree. */
  path: string;
  /** All of it: the user trusts what is shown. */
  text: string;
  /** SHA-256 (hex) of its content. */
  fingerprint: string;
  /** Whether the user trusts this content. */
  isTrusted: boolean;
}

export interface SetupRun {
  state: 'running' | 'succeeded' | 'failed' | 'stopped';
  /** The last 32,000 characters. */
  output: string;
  isCut: boolean;
  /** Null while it runs, after a signal, or when it never started. */
  exitCode: number | null;
  /** How it was sandboxed; null while it runs. */
  enforcement: ScriptEnd['enforcement'] | null;
}

export interface WorktreeSetup {
  /** Null when the worktree has no script. */
  script: SetupScript | null;
  /** The last run of this process; null when there was none. */
  run: SetupRun | null;
}

export interface SetupStart {
  /** Trusts the script when this is its fingerprint. */
  fingerprint?: string | undefined;
  onText?(text: string): void;
}

/** Runs `.svc/worktree` of worktrees, in the sandbox and never before the user has trusted its content. */
export interface WorktreeSetups {
  /** Of the work tree that contains a folder. */
  scriptAt(folder: string): Promise<SetupScript | null>;
  /** NOT_FOUND. */
  read(worktreeId: string): Promise<WorktreeSetup>;
  /**
   * Resolves when it runs; `ended` when it is over. One that already runs is not started again. NOT_FOUND without a script,
   * QUERY_INVALID (`setup-not-trusted`) for one that is not trusted.
   */
  start(worktreeId: string, options?: SetupStart): Promise<WorktreeSetup & { ended: Promise<SetupRun> }>;
  /** Resolves when nothing of it runs any more. NOT_FOUND. */
  stop(worktreeId: string): Promise<void>;
  /** Of a worktree that was removed. */
  forget(worktreeId: string): void;
}

interface WorktreeSetupsNeeds {
  ambient: Ambient;
  git(): Pick<Git, 'worktrees' | 'workTreeOf'>;
  extensions(): Promise<Pick<Extensions, 'scripts'>>;
  commands(): Promise<Pick<Commands, 'runScript'>>;
}

interface Running {
  run: SetupRun;
  ended: Promise<SetupRun>;
  stop: AbortController;
}

const PATH = '.svc/worktree';
/** One stream, so that its lines stay in order. */
const COMMAND = `${process.platform === 'win32' ? '.svc\\worktree' : './.svc/worktree'} 2>&1`;
const MAX_SCRIPT_BYTES = 256 * 1024;
const MAX_OUTPUT = 32_000;
const LIMIT_MS = 900_000;

export function createWorktreeSetups(needs: WorktreeSetupsNeeds): WorktreeSetups {
  const runs = new Map<string, Running>();

  const examine = async (folder: string) => {
    const tree = await needs.git().workTreeOf(folder);
    const bytes = tree && (await readScript(tree.root));
    if (!bytes) return undefined;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const { scripts } = await needs.extensions();
    const trust = { id: 'worktree', folder: tree.repository, sha256 };
    const isTrusted = await scripts.isTrusted(trust);
    const script: SetupScript = { path: PATH, text: bytes.toString('utf8'), fingerprint: sha256, isTrusted };
    return { script, trust: () => scripts.trust(trust) };
  };

  const begin = async (worktreeId: string, { path }: { path: string }, { fingerprint, onText }: SetupStart) => {
    const found = await examine(path);
    if (!found) throw commonError('NOT_FOUND', { reason: 'setup-script' });
    if (!found.script.isTrusted) {
      if (fingerprint !== found.script.fingerprint) throw commonError('QUERY_INVALID', { reason: 'setup-not-trusted' });
      await found.trust();
    }
    const run: SetupRun = { state: 'running', output: '', isCut: false, exitCode: null, enforcement: null };
    const stop = new AbortController();
    const ended = follow(await needs.commands(), { worktreeId, path, run, stop, onText });
    runs.set(worktreeId, { run, stop, ended });
    return { script: { ...found.script, isTrusted: true }, run, ended };
  };

  const follow = async (
    commands: Pick<Commands, 'runScript'>,
    { worktreeId, path, run, stop, onText }: Follow,
  ): Promise<SetupRun> => {
    const cancel = needs.ambient.timer(LIMIT_MS, () => stop.abort('limit'));
    const add = (text: string): void => {
      run.isCut ||= run.output.length + text.length > MAX_OUTPUT;
      run.output = textEnd(run.output + text, MAX_OUTPUT);
      onText?.(text);
    };
    try {
      const script = { id: worktreeId, command: COMMAND, folder: path, signal: stop.signal, onText: add };
      const { exitCode, enforcement, problem } = await commands.runScript(script);
      if (problem !== undefined) add(`${problem}\n`);
      const isStopped = stop.signal.reason === 'stop';
      return Object.assign(run, { exitCode, enforcement, state: isStopped ? 'stopped' : stateAfter(exitCode) });
    } catch (error) {
      needs.ambient.log.error('worktree.setup-failed', { error });
      return Object.assign(run, { state: 'failed' });
    } finally {
      cancel();
    }
  };

  return {
    scriptAt: async (folder) => (await examine(folder))?.script ?? null,
    async read(worktreeId) {
      const { path } = await needs.git().worktrees.record(worktreeId);
      return { script: (await examine(path))?.script ?? null, run: runs.get(worktreeId)?.run ?? null };
    },
    async start(worktreeId, options = {}) {
      const record = await needs.git().worktrees.record(worktreeId);
      const known = runs.get(worktreeId);
      if (known?.run.state !== 'running') return begin(worktreeId, record, options);
      const script = (await examine(record.path))?.script ?? null;
      return { script, run: known.run, ended: known.ended };
    },
    async stop(worktreeId) {
      await needs.git().worktrees.record(worktreeId);
      const known = runs.get(worktreeId);
      known?.stop.abort('stop');
      await known?.ended;
    },
    forget: (worktreeId) => void runs.delete(worktreeId),
  };
}

interface Follow extends Pick<Running, 'run' | 'stop'>, Pick<SetupStart, 'onText'> {
  worktreeId: string;
  path: string;
}

const stateAfter = (exitCode: number | null): SetupRun['state'] => (exitCode === 0 ? 'succeeded' : 'failed');

/** Undefined when there is no regular file, or a longer one. */
async function readScript(root: string): Promise<Buffer | undefined> {
  try {
    return (await readFileInside(root, PATH, MAX_SCRIPT_BYTES)).bytes;
  } catch (error) {
    if (error instanceof PathError) return undefined;
    throw error;
  }
}
