import { realpath } from 'node:fs/promises';
import type { Services } from '@fucina/host';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { askChoice } from '../../one-shot/ask-choice.ts';
import { readLine } from '../../one-shot/read-line.ts';
import { withHost } from '../../open-host.ts';
import type { Terminal } from '../../terminal.ts';
import type { Flags } from './listing.ts';

export interface Place {
  services: Services;
  folder: string;
  flags: Flags;
  terminal: Terminal;
  /** The user stopped it. */
  signal: AbortSignal;
}

export async function inFolder(
  flags: Flags,
  terminal: Terminal,
  act: (place: Place) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { io } = terminal;
  const stops = new AbortController();
  const forget = io.onInterrupt(() => stops.abort());
  const { signal } = stops;
  try {
    const folder = await realpath(io.cwd);
    return await withHost(io, flags, ({ services }) => act({ services, folder, flags, terminal, signal }));
  } catch (error) {
    if (!signal.aborted) throw error;
    return EXIT.interrupted;
  } finally {
    forget();
  }
}

export const canAsk = ({ flags, terminal: { io } }: Place): boolean =>
  flags.json !== true && io.stdin.isTTY === true && io.stderr.isTTY === true;

export function offer<Letter extends string>(
  offers: Readonly<Record<Letter, string>>,
  { terminal, signal }: Place,
): Promise<Letter | undefined> {
  return askChoice(offers, { terminal, readLine: (prompt) => readLine(terminal, prompt, signal) });
}

/** Nothing was done: stopped, cancelled, or no terminal to ask on. */
export function left(place: Place, record: Record<string, unknown>): ExitCode {
  const { terminal, flags, signal } = place;
  if (signal.aborted) return EXIT.interrupted;
  if (flags.json) terminal.out(JSON.stringify(record));
  terminal.err(terminal.say(canAsk(place) ? 'git.left' : 'git.needs-yes'));
  return EXIT.denied;
}
