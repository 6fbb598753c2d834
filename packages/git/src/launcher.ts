import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { type Ambient, capturedText, type Environment, type ProcessOutcome, runProcess } from '@fucina/shared';
import { gitError } from './errors.ts';
import { type ConfigEntry, configEnvironment, DRIVER_KEYS, driverOverrides, FIXED_OVERRIDES } from './overrides.ts';
import type { Repository } from './repository.ts';

export interface GitCall {
  /** Absolute folder to run in, inside the repository. */
  folder: string;
  repository: Repository;
  /** Subcommand and its arguments; paths after `--`. */
  args: readonly string[];
  /** 15 s unless said. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface GitLauncher {
  /**
   * Standard output of one git command that reads. Nothing the repository configures is run: hooks, filters, drivers, helpers,
   * transports, signers. Throws GIT_COMMAND_FAILED, GIT_TIMEOUT, GIT_OUTPUT_TOO_LARGE (32 MiB), GIT_ABORTED.
   */
  read(call: GitCall): Promise<string>;
  /** False when no git is on this computer. */
  isAvailable(): Promise<boolean>;
}

export interface LauncherNeeds {
  ambient: Ambient;
  environment: Environment;
  /** Absolute path of git; found on PATH when absent. */
  gitPath?: string;
}

const READ_MS = 15_000;
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;

const ENVIRONMENT = {
  GIT_LITERAL_PATHSPECS: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  /** Local paths as transport are for what a person typed only. */
  GIT_PROTOCOL_FROM_USER: '0',
  GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
  GIT_ASKPASS: 'true',
  SSH_ASKPASS: 'true',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_PAGER: 'cat',
  GIT_ATTR_NOSYSTEM: '1',
  LC_ALL: 'C',
};

export function createLauncher(needs: LauncherNeeds): GitLauncher {
  let found: Promise<string | undefined> | undefined;
  const binary = (): Promise<string | undefined> => (found ??= findBinary(needs));

  const start = async (call: GitCall, overrides: readonly ConfigEntry[]): Promise<ProcessOutcome> => {
    const git = await binary();
    if (git === undefined) throw gitError('GIT_COMMAND_FAILED', { reason: 'git-not-installed' });
    return runProcess({
      ambient: needs.ambient,
      environment: needs.environment,
      // A repository may say that its files are elsewhere (core.worktree): they are where its `.git` is.
      extraEnvironment: { ...ENVIRONMENT, ...configEnvironment(overrides), GIT_WORK_TREE: call.repository.root },
      argv: [git, '--no-pager', '--no-optional-locks', ...call.args],
      cwd: call.folder,
      timeoutMs: call.timeoutMs ?? READ_MS,
      signal: call.signal,
      keepBytes: MAX_OUTPUT_BYTES,
      isStoppedAtLimit: true,
    });
  };

  return {
    async read(call) {
      const config = ['config', '--null', '--show-scope', '--name-only', '--includes', '--get-regexp', DRIVER_KEYS];
      const listed = await start({ ...call, args: config }, FIXED_OVERRIDES);
      // Exit 1: no such key.
      const listing = listed.exitCode === 1 ? '' : textOf(listed, call);
      return textOf(await start(call, [...FIXED_OVERRIDES, ...driverOverrides(listing)]), call);
    },
    isAvailable: async () => (await binary()) !== undefined,
  };
}

function textOf(outcome: ProcessOutcome, { args }: GitCall): string {
  if (outcome.ending === 'exit' && outcome.exitCode === 0) return outcome.stdout.bytes.toString('utf8');
  const details = { command: args[0], exitCode: outcome.exitCode, stderr: capturedText(outcome.stderr).slice(0, 2000) };
  switch (outcome.ending) {
    case 'timeout':
      throw gitError('GIT_TIMEOUT', { details });
    case 'output-limit':
      throw gitError('GIT_OUTPUT_TOO_LARGE', { details });
    case 'stopped':
      throw gitError('GIT_ABORTED', { details });
    case 'exit':
    case 'not-started':
      throw gitError('GIT_COMMAND_FAILED', { details });
  }
}

/** From the absolute entries of PATH only: a relative one would find a program in the folder that is looked at. */
async function findBinary({ environment, gitPath }: LauncherNeeds): Promise<string | undefined> {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  const folders = (environment.PATH ?? environment.Path ?? '').split(delimiter).filter(isAbsolute);
  for (const candidate of gitPath === undefined ? folders.map((folder) => join(folder, name)) : [gitPath]) {
    const isThere = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  return undefined;
}
