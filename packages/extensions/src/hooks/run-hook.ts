import { type Ambient, capturedText, type Environment, runProcess } from '@fucina/shared';
import * as z from 'zod';
import { findProgram, splitCommand } from '../trust/program.ts';
import type { HookEvent } from './hooks-file.ts';

/** The event for a hook, as JSON in the variable SVC_HOOK_EVENTO. */
export interface HookEventData {
  evento: HookEvent;
  sessionId: string;
  cartella: string;
  [fact: string]: unknown;
}

export interface HookVerdict {
  isAllowed: boolean;
  /** The reason, in the hook's own words. */
  reason: string;
}

const HOOK_VARIABLE = 'SVC_HOOK_EVENTO';
/** What a hook may run: programs from outside the project. */
const ALLOWED: ReadonlySet<string> = new Set(['node', 'echo']);
const TIMEOUT_MS = 10_000;
const MAX_OUTPUT = 64 * 1024;
/** A variable longer than 128 KiB cannot be given to a program on Linux. */
const MAX_NEWS = 96 * 1024;
const MAX_REASON = 2_000;

/** Program (absolute) and arguments of a hook; the problem, in English, when it may not run. */
export async function hookArgv(
  command: string,
  environment: Environment,
): Promise<{ argv: [string, ...string[]] } | { problem: string }> {
  const [name, ...args] = splitCommand(command) ?? [];
  if (name === undefined || !ALLOWED.has(name)) return { problem: `only ${[...ALLOWED].join(' and ')} can be run` };
  const program = name === 'node' ? process.execPath : await findProgram(name, environment);
  return program === undefined ? { problem: `there is no ${name} here` } : { argv: [program, ...args] };
}

export interface HookRun {
  ambient: Ambient;
  environment: Environment;
  /** From the project or from a plugin. */
  folder: string;
  argv: readonly [string, ...string[]];
  news: HookEventData;
  signal?: AbortSignal;
}

const spoken = z.object({ consentito: z.boolean(), motivo: z.string().optional() });

/** No shell, ten seconds, 64 KiB. Its JSON output decides, else its exit code. A hook that fails to start refuses. */
export async function runHook({ ambient, environment, folder, argv, news, signal }: HookRun): Promise<HookVerdict> {
  const outcome = await runProcess({
    ambient,
    environment,
    extraEnvironment: { [HOOK_VARIABLE]: newsText(news) },
    argv,
    cwd: folder,
    timeoutMs: TIMEOUT_MS,
    keepBytes: MAX_OUTPUT,
    isStoppedAtLimit: true,
    signal,
  });
  if (outcome.ending !== 'exit') return { isAllowed: false, reason: `it did not end by itself (${outcome.ending})` };
  const said = verdictIn(capturedText(outcome.stdout));
  if (said) return said;
  const isAllowed = outcome.exitCode === 0;
  return { isAllowed, reason: isAllowed ? '' : capturedText(outcome.stderr).trim().slice(0, MAX_REASON) };
}

function verdictIn(text: string): HookVerdict | undefined {
  try {
    const { consentito, motivo = '' } = spoken.parse(JSON.parse(text));
    return { isAllowed: consentito, reason: motivo.slice(0, MAX_REASON) };
  } catch {
    // A hook may print nothing.
    return undefined;
  }
}

/** Replaces what is too long for a variable by a note that it was left out. */
function newsText(news: HookEventData): string {
  const text = JSON.stringify(news);
  if (Buffer.byteLength(text) <= MAX_NEWS) return text;
  const { evento, sessionId, cartella, strumento, toolCallId } = news;
  return JSON.stringify({ evento, sessionId, cartella, strumento, toolCallId, tagliato: true });
}
