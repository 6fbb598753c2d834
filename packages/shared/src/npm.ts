import { capturedText } from './captured-output.ts';
import type { Environment } from './child-environment.ts';
import { type ProcessOptions, type ProcessOutcome, runProcess } from './child-process.ts';

/** Why npm did not do what it was asked. */
export type NpmProblem = 'npm-missing' | 'unreachable' | 'not-found' | 'damaged' | 'disk-full' | 'failed';

export interface NpmFailure {
  problem: NpmProblem;
  /** The error code of npm or the system. */
  detail: string | null;
}

export interface NpmOutcome {
  /** Undefined when it succeeded or was stopped by the signal. */
  failure: NpmFailure | undefined;
  stdout: string;
}

/** Runs the user's npm: the registry, the proxy and the certificates are the user's own. Packages run no scripts. */
export async function runNpm(
  args: readonly string[],
  options: Pick<ProcessOptions, 'ambient' | 'cwd' | 'environment' | 'timeoutMs' | 'signal'>,
): Promise<NpmOutcome> {
  const outcome = await runProcess({
    ...options,
    argv: ['npm', ...args, '--ignore-scripts', '--no-update-notifier', '--loglevel=error'],
    extraEnvironment: npmSettings(options.environment),
  });
  const isFine = options.signal?.aborted === true || outcome.exitCode === 0;
  return { failure: isFine ? undefined : failureOf(outcome), stdout: capturedText(outcome.stdout) };
}

function npmSettings(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => /^(npm_config_|https?_proxy$)/i.test(name)));
}

const PROBLEMS: Readonly<Record<string, NpmProblem>> = {
  EINTEGRITY: 'damaged',
  E404: 'not-found',
  ETARGET: 'not-found',
  ENOSPC: 'disk-full',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  ETIMEDOUT: 'unreachable',
  ENOTCACHED: 'unreachable',
};

function failureOf({ ending, problem, stdout, stderr }: ProcessOutcome): NpmFailure {
  if (ending === 'not-started')
    return { problem: problem === 'ENOENT' ? 'npm-missing' : 'failed', detail: problem ?? null };
  const code = /^npm (?:error|ERR!) (?:code|errno) ([A-Z][A-Z\d_]{1,30})$/m.exec(
    `${capturedText(stderr)}\n${capturedText(stdout)}`,
  )?.[1];
  const known = code === undefined ? undefined : PROBLEMS[code];
  return { problem: known ?? (ending === 'timeout' ? 'unreachable' : 'failed'), detail: code ?? null };
}
