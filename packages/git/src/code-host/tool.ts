import { access, constants } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import {
  type Ambient,
  capturedText,
  type Environment,
  type ProcessOptions,
  type RunningProcess,
  runProcess,
  startProcess,
  textStart,
} from '@fucina/shared';
import { hostError } from '../errors.ts';

export interface ToolNeeds {
  ambient: Ambient;
  /** The server's environment; `FUCINA_GH` is the absolute path of gh, which is found on PATH otherwise. */
  environment: Environment;
  /** Path of the copy that we installed; it takes precedence over the system's. */
  ownProgram?: string;
}

export interface ToolOutcome {
  exitCode: number;
  stdout: string;
  /** At most 4,000 characters. */
  stderr: string;
}

export interface ToolVersion {
  version: string;
  origin: 'system' | 'own';
  isTooOld: boolean;
}

/**
 * The official program of the code host. It never runs in a user's folder, where it would call git, and is never asked
 * for a token.
 */
export interface HostTool {
  /**
   * Undefined when there is none. Throws HOST_STORE_UNAVAILABLE (it cannot start), HOST_COMMAND_FAILED, HOST_TIMEOUT,
   * HOST_OUTPUT_*.
   */
  version(): Promise<ToolVersion | undefined>;
  /** The same; HOST_NOT_INSTALLED when there is none or it is too old. */
  require(): Promise<void>;
  /** Whatever the exit code. */
  run(args: readonly string[], options?: { input?: string; timeoutMs?: number }): Promise<ToolOutcome>;
  start(args: readonly string[], onText: (text: string) => void): Promise<RunningProcess>;
}

export const HOST = 'github.com';
export const READ_MS = 30_000;
export const CREATE_MS = 60_000;
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
const OLDEST: readonly [number, number, number] = [2, 97, 0];

/** No prompts, browser, colors or update checks; the signed-in account comes from gh's own files. */
const ENVIRONMENT = {
  GH_PROMPT_DISABLED: '1',
  GH_NO_UPDATE_NOTIFIER: '1',
  GH_NO_EXTENSION_UPDATE_NOTIFIER: '1',
  GH_SPINNER_DISABLED: '1',
  GH_TELEMETRY: '0',
  GH_BROWSER: 'true',
  BROWSER: 'true',
  GH_PAGER: 'cat',
  NO_COLOR: '1',
  CLICOLOR: '0',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
};

export function createHostTool(needs: ToolNeeds): HostTool {
  const optionsOf = async (args: readonly string[], timeoutMs?: number): Promise<ProcessOptions> => {
    const program = await findTool(needs);
    if (program === undefined) throw hostError('HOST_NOT_INSTALLED');
    return {
      ambient: needs.ambient,
      environment: needs.environment,
      extraEnvironment: ENVIRONMENT,
      argv: [program, ...args],
      cwd: tmpdir(),
      keepBytes: MAX_OUTPUT_BYTES,
      isStoppedAtLimit: true,
      timeoutMs,
    };
  };
  const run: HostTool['run'] = async (args, { input, timeoutMs = READ_MS } = {}) => {
    const outcome = await runProcess({ ...(await optionsOf(args, timeoutMs)), input });
    const details = { command: args.slice(0, 2).join(' '), exitCode: outcome.exitCode, problem: outcome.problem };
    if (outcome.ending === 'not-started') throw hostError('HOST_STORE_UNAVAILABLE', { reason: 'not-started', details });
    if (outcome.ending === 'timeout') throw hostError('HOST_TIMEOUT', { details });
    if (outcome.ending === 'output-limit') throw hostError('HOST_OUTPUT_TOO_LARGE', { details });
    if (outcome.exitCode === null) throw hostError('HOST_COMMAND_FAILED', { reason: 'killed', details });
    const stdout = capturedText(outcome.stdout);
    return { exitCode: outcome.exitCode, stdout, stderr: textStart(capturedText(outcome.stderr), 4000) };
  };
  const version: HostTool['version'] = async () => {
    const program = await findTool(needs);
    if (program === undefined) return undefined;
    const outcome = await run(['--version']);
    if (outcome.exitCode !== 0) throw failureOf(outcome, 'version');
    const found = /^gh version (\d+)\.(\d+)\.(\d+)/.exec(outcome.stdout);
    if (!found) throw hostError('HOST_OUTPUT_INVALID', { reason: 'version' });
    const numbers = found.slice(1, 4).map(Number);
    const origin = program === needs.ownProgram ? 'own' : 'system';
    return { version: numbers.join('.'), origin, isTooOld: isOlder(numbers) };
  };
  return {
    version,
    async require() {
      const found = await version();
      if (!found) throw hostError('HOST_NOT_INSTALLED');
      if (found.isTooOld) throw hostError('HOST_NOT_INSTALLED', { reason: 'too-old' });
    },
    run,
    start: async (args, onText) => startProcess({ ...(await optionsOf(args)), onText }),
  };
}

function isOlder(numbers: readonly number[]): boolean {
  for (const [at, oldest] of OLDEST.entries()) {
    const number = numbers[at] ?? 0;
    if (number !== oldest) return number < oldest;
  }
  return false;
}

/**
 * HOST_NOT_LOGGED_IN or HOST_COMMAND_FAILED. The program's output may contain secrets, so only its meaning is reported.
 */
export function failureOf({ exitCode, stderr }: ToolOutcome, command: string): Error {
  const details = { command, exitCode };
  if (exitCode === 4 || /HTTP 401|gh auth login|not logged in/i.test(stderr))
    return hostError('HOST_NOT_LOGGED_IN', { details });
  const status = /\(HTTP (\d{3})\)/.exec(stderr)?.[1];
  const isUnreachable = /error connecting|no such host|connection refused|timeout|proxyconnect/i.test(stderr);
  const reason = status === undefined ? (isUnreachable ? 'unreachable' : undefined) : `http-${status}`;
  return hostError('HOST_COMMAND_FAILED', { reason, details });
}

async function findTool({ environment, ownProgram }: ToolNeeds): Promise<string | undefined> {
  const given = environment.FUCINA_GH;
  if (given !== undefined && given !== '') return isAbsolute(given) ? given : undefined;
  if (ownProgram !== undefined && (await isProgram(ownProgram))) return ownProgram;
  const name = process.platform === 'win32' ? 'gh.exe' : 'gh';
  for (const folder of (environment.PATH ?? environment.Path ?? '').split(delimiter).filter(isAbsolute)) {
    const candidate = join(folder, name);
    if (await isProgram(candidate)) return candidate;
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
