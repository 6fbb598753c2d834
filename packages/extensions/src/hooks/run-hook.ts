import { isAbsolute, join } from 'node:path';
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
/** What a hook of a project may run: programs from outside the project. */
const ALLOWED: ReadonlySet<string> = new Set(['node', 'echo']);
const TIMEOUT_MS = 10_000;
const MAX_OUTPUT = 64 * 1024;
/** A variable longer than 128 KiB cannot be given to a program on Linux. */
const MAX_NEWS = 96 * 1024;
const MAX_REASON = 2_000;

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

/** No shell, a time limit, 64 KiB. Its JSON output decides, else its exit code. A hook that fails to start refuses. */
export async function runHook(run: HookRun): Promise<HookVerdict> {
  const { ambient, environment, folder, argv, timeoutMs = TIMEOUT_MS, news, signal } = run;
  const outcome = await runProcess({
    ambient,
    environment,
    extraEnvironment: { [HOOK_VARIABLE]: newsText(news) },
    argv,
    cwd: folder,
    timeoutMs,
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
