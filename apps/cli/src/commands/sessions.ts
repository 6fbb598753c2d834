import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EMPTY, fold, type SessionEvent } from '@fucina/conversation';
import { readEvent } from '@fucina/conversation/reader';
import type { SessionRow } from '@fucina/host';
import { cleanLine, cleanText } from '../clean-text.ts';
import type { CommonFlags } from '../command-facts.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { localTime } from '../local-time.ts';
import { callProgressLine } from '../one-shot/progress.ts';
import { finishedCall } from '../one-shot/tool-calls.ts';
import { withHost } from '../open-host.ts';
import { columns } from '../table.ts';
import type { Terminal } from '../terminal.ts';

const NAME_WIDTH = 60;
const SHOWN_HITS = 3;

export async function listSessions(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, out } = terminal;
  const rows = await withHost(io, flags, ({ services }) => services.sessions.list());
  if (flags.json) {
    out(JSON.stringify({ sessions: rows.map(factsOf) }));
    return EXIT.done;
  }
  if (!rows.length) out(say('sessions.none'));
  tableOf(rows, terminal);
  return EXIT.done;
}

/** Messages that contain all these words, best match first, with excerpts. */
export async function searchSessions(flags: CommonFlags, words: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, out, style } = terminal;
  const found = await withHost(io, flags, ({ services }) => services.sessions.search(words.join(' ')));
  if (flags.json) {
    out(JSON.stringify({ sessions: found.map((row) => ({ ...factsOf(row), hits: row.hits ?? [] })) }));
    return EXIT.done;
  }
  if (!found.length) out(say('sessions.not-found'));
  for (const row of found) {
    tableOf([row], terminal);
    for (const { snippet } of (row.hits ?? []).slice(0, SHOWN_HITS)) {
      const around = snippet.map(({ text, isHit }) =>
        isHit ? style.bold(cleanText(text)) : style.muted(cleanText(text)),
      );
      out(`  ${around.join('').replaceAll(/\s+/g, ' ')}`);
    }
  }
  return EXIT.done;
}

function tableOf(rows: readonly SessionRow[], terminal: Terminal): void {
  const { out, style } = terminal;
  const cells = rows.map((row) => [
    { text: row.header.sessionId, paint: style.accent },
    { text: localTime(row.header.startedAt), paint: style.muted },
    { text: stateWord(row, terminal) },
    { text: cleanLine(row.name ?? '', NAME_WIDTH), paint: style.bold },
    { text: cleanLine(row.header.project ?? '', NAME_WIDTH), paint: style.muted },
  ]);
  for (const line of columns(cells)) out(line);
}

export async function showSession(flags: CommonFlags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, out, style } = terminal;
  const { record, events } = await withHost(io, flags, ({ services }) => services.sessions.export(id));
  if (flags.json) {
    out(JSON.stringify(factsOf(record)));
    return EXIT.done;
  }
  const { header, settings } = record;
  out(style.bold(cleanLine(record.name ?? '', NAME_WIDTH)));
  out(style.muted([stateWord(record, terminal), settings.model, settings.permissions, header.folder].join(' · ')));
  for (const line of conversation(events.map(readEvent), terminal)) out(line);
  return EXIT.done;
}

/** To standard output: everything as JSON, or a document without secrets as Markdown or HTML. */
export async function exportSession(
  flags: CommonFlags,
  [id = '']: string[],
  { io, out, language }: Terminal,
): Promise<ExitCode> {
  const { record, events } = await withHost(io, flags, ({ services }) => services.sessions.export(id));
  if (flags.format === 'md' || flags.format === 'html') {
    const { shareLabels, shareMarkdown, shareOf, sharePage } = await import('@fucina/conversation/sharing');
    const labels = shareLabels(language);
    const choice = { hasReasoning: false, hasOutput: true, hasChanges: true };
    const share = shareOf(fold(EMPTY, events.map(readEvent)), { title: record.name ?? id, choice, labels });
    out((flags.format === 'md' ? shareMarkdown(share, labels) : sharePage(share, labels, language)).trimEnd());
    return EXIT.done;
  }
  out(JSON.stringify({ session: factsOf(record), events }, null, flags.json ? 0 : 2));
  return EXIT.done;
}

/** An export in JSON, of this tool or of the window, as a new session of a folder. */
export async function importSession(
  flags: CommonFlags,
  [file = '']: string[],
  { io, say, out, err }: Terminal,
): Promise<ExitCode> {
  const folder = resolve(io.cwd, typeof flags.dir === 'string' ? flags.dir : '.');
  const document = await readDocument(resolve(io.cwd, file));
  if (document === undefined) {
    err(`fucina: ${say('sessions.not-json', { file: cleanLine(file, NAME_WIDTH) })}`);
    return EXIT.usage;
  }
  const { sessionId } = await withHost(io, flags, ({ services }) => services.importSession({ folder, document }));
  out(flags.json ? JSON.stringify({ sessionId }) : say('sessions.imported', { id: sessionId }));
  return EXIT.done;
}

/** Undefined if it cannot be read or is not JSON. */
async function readDocument(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code !== undefined) return undefined;
    throw error;
  }
}

export async function deleteSession(flags: CommonFlags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, out } = terminal;
  await withHost(io, flags, ({ services }) => services.withReserve(() => services.removeSession(id)));
  out(flags.json ? JSON.stringify({ sessionId: id, isDeleted: true }) : say('sessions.deleted'));
  return EXIT.done;
}

export async function renameSession(
  flags: CommonFlags,
  [id = '', name = '']: string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const { io, say, out } = terminal;
  const row = await withHost(io, flags, async ({ services: { sessions } }) => {
    await sessions.rename(id, name);
    return sessions.read(id);
  });
  out(flags.json ? JSON.stringify(factsOf(row)) : say('sessions.renamed'));
  return EXIT.done;
}

type State = 'running' | 'waiting' | 'interrupted' | 'finished' | 'stopped' | 'error' | 'steps-used-up';

function stateOf(row: SessionRow): State {
  if (row.isInterrupted) return 'interrupted';
  if (row.isConcluded) return row.outcome ?? 'finished';
  const isWaiting = row.waitsForApproval || row.waitsForQuestion || row.waitsForPlan || row.waitsForElicitation;
  return isWaiting ? 'waiting' : 'running';
}

export function stateWord(row: SessionRow, { say }: Terminal): string {
  return say(`sessions.${stateOf(row)}`);
}

function factsOf(row: SessionRow) {
  const { header, settings, name, total, closeCode, lastReplyAt } = row;
  return {
    sessionId: header.sessionId,
    name,
    state: stateOf(row),
    closeCode,
    folder: header.folder,
    project: header.project,
    startedAt: new Date(header.startedAt).toISOString(),
    lastReplyAt: lastReplyAt === null ? null : new Date(lastReplyAt).toISOString(),
    model: settings.model,
    permissions: settings.permissions,
    mode: settings.mode,
    testCommand: header.testCommand,
    usage: total,
  };
}

/** The conversation in order: user messages, the model's text, one line per call. */
function* conversation(events: readonly SessionEvent[], terminal: Terminal): Generator<string> {
  const { style } = terminal;
  const whole = fold(EMPTY, events);
  let text = '';
  for (const event of events) {
    const finished = finishedCall(whole, event);
    if (finished) yield callProgressLine(finished, { ...terminal, errorStyle: style });
    if (event.type === 'RunStarted' && event.input) {
      yield '';
      for (const line of cleanText(event.input.message).split('\n')) yield style.accent(`> ${line}`);
      yield '';
    }
    if (event.type === 'TextMessageContent') text += event.delta;
    if (event.type === 'TextMessageEnd') {
      yield* cleanText(text).split('\n');
      text = '';
    }
    if (event.type === 'RunError')
      yield style.danger(`✗ ${cleanText(event.message)} [${event.code ?? 'internal-error'}]`);
  }
}
