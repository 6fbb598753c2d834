import { isAbsolute, join } from 'node:path';
import {
  type Ambient,
  capturedText,
  type Environment,
  type ProcessOutcome,
  runProcess,
  textStart,
} from '@fucina/shared';
import * as z from 'zod';
import { findProgram, splitCommand } from '../trust/program.ts';
import type { HookEvent } from './hooks-file.ts';

/**
 * The event for a hook, as JSON on its standard input, white space before it, and in the variable SVC_HOOK_EVENTO, there
 * without its arguments and result (`tagliato`) when it is longer than 96 KiB.
 */
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
/** What a hook of a project may run: programs from outside the project. */
const ALLOWED: ReadonlySet<string> = new Set(['node', 'echo']);
const TIMEOUT_MS = 10_000;
const MAX_OUTPUT = 64 * 1024;
/** A variable longer than 128 KiB cannot be given to a program on Linux. */
const MAX_NEWS = 96 * 1024;
const MAX_REASON = 2_000;
/**
 * White space before an event that is too long for the variable: more than a connection holds unread, so that the event
 * is taken whole only if the hook reads it.
 */
const LONG_BEGINNING = ' '.repeat(1024 * 1024);
const NOT_READ = 'it did not read the event on its standard input, which is too long for the variable';

/** Program (absolute) and arguments of a hook of a project; the problem, in English, when it may not run. */
export async function hookArgv(command: string, environment: Environment): Promise<HookProgram> {
  const [name, ...args] = splitCommand(command) ?? [];
  if (name === undefined || !ALLOWED.has(name)) return { problem: `only ${[...ALLOWED].join(' and ')} can be run` };
  const program = name === 'node' ? process.execPath : await findProgram(name, environment);
  return program === undefined ? { problem: `there is no ${name} here` } : { argv: [program, ...args] };
}

/** The same of a hook of the user, who may run any program; a relative path begins in the folder where it starts. */
export async function ownHookArgv(
  command: string,
  { environment, startFolder }: { environment: Environment; startFolder: string },
): Promise<HookProgram> {
  const [name = '', ...args] = splitCommand(command) ?? [];
  const isPath = !isAbsolute(name) && /[\\/]/.test(name);
  const program =
    name === 'node' ? process.execPath : await findProgram(isPath ? join(startFolder, name) : name, environment);
  return program === undefined ? { problem: `there is no ${name} here` } : { argv: [program, ...args] };
}

export type HookProgram = { argv: [string, ...string[]] } | { problem: string };

/** Whether a hook is called about this tool. */
export function matchesTool(matcher: string | undefined, tool: unknown): boolean {
  if (matcher === undefined || typeof tool !== 'string') return true;
  return matcher.split('|').some((name) => isMatch(name.trim().split('*'), tool));
}

/** Each part is looked for once, after the one before it: no pattern takes long. */
function isMatch(parts: readonly string[], tool: string): boolean {
  const [first = '', ...others] = parts;
  const last = others.pop();
  if (last === undefined) return first !== '' && tool === first;
  if (!tool.startsWith(first)) return false;
  let from = first.length;
  for (const part of others) {
    const at = tool.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return tool.length - last.length >= from && tool.endsWith(last);
}

export interface HookRun {
  ambient: Ambient;
  environment: Environment;
  /** Where it starts. */
  folder: string;
  /** Default: 10 s. */
  timeoutMs?: number | undefined;
  argv: readonly [string, ...string[]];
  news: HookEventData;
  signal?: AbortSignal;
}

const spoken = z.object({ consentito: z.boolean(), motivo: z.string().optional() });

/**
 * No shell, a time limit, 64 KiB. Its JSON output decides, else its exit code. A hook that fails to start refuses, and so
 * does one that could not know the whole event from the variable and did not read it.
 */
export async function runHook(run: HookRun): Promise<HookVerdict> {
  const { ambient, environment, folder, argv, timeoutMs = TIMEOUT_MS, news, signal } = run;
  const text = JSON.stringify(news);
  const isLong = Buffer.byteLength(text) > MAX_NEWS;
  const outcome = await runProcess({
    ambient,
    environment,
    extraEnvironment: { [HOOK_VARIABLE]: isLong ? shortened(news) : text },
    input: `${isLong ? LONG_BEGINNING : ''}${text}\n`,
    argv,
    cwd: folder,
    timeoutMs,
    keepBytes: MAX_OUTPUT,
    isStoppedAtLimit: true,
    signal,
  });
  if (outcome.ending !== 'exit') return { isAllowed: false, reason: `it did not end by itself (${outcome.ending})` };
  const verdict = verdictOf(outcome);
  return verdict.isAllowed && isLong && !outcome.isInputTaken ? { isAllowed: false, reason: NOT_READ } : verdict;
}

function verdictOf({ stdout, stderr, exitCode }: ProcessOutcome): HookVerdict {
  const said = verdictIn(capturedText(stdout));
  if (said) return said;
  const isAllowed = exitCode === 0;
  return { isAllowed, reason: isAllowed ? '' : textStart(capturedText(stderr).trim(), MAX_REASON) };
}

function verdictIn(text: string): HookVerdict | undefined {
  try {
    const { consentito, motivo = '' } = spoken.parse(JSON.parse(text));
    return { isAllowed: consentito, reason: textStart(motivo, MAX_REASON) };
  } catch {
    // A hook may print nothing.
    return undefined;
  }
}

/** What fits into the variable of a long event. */
function shortened({ evento, sessionId, cartella, strumento, toolCallId }: HookEventData): string {
  return JSON.stringify({ evento, sessionId, cartella, strumento, toolCallId, tagliato: true });
}
