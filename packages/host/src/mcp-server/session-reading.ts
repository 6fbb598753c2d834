import { EMPTY, fold, netChanges } from '@fucina/conversation';
import { readEvent } from '@fucina/conversation/reader';
import type { SessionRow, Sessions } from '@fucina/sessions';
import { type Ambient, textStart } from '@fucina/shared';

export type SessionState = 'running' | 'finished' | 'interrupted' | 'waiting';

/** What another program needs to know of a session. */
export interface SessionFacts {
  sessionId: string;
  name: string | null;
  folder: string;
  state: SessionState;
  /** What a waiting session needs from the user. */
  waitsFor: string | null;
  /** The agent's last message. */
  answer: string;
}

const MAX_ANSWER = 20_000;
const MAX_DIFF = 60_000;
/** Files with more are shown as too large: pairing their lines takes seconds. */
const MAX_EDITS = 5_000;
const PAUSE_MS = 250;

export async function sessionFacts(sessions: Sessions, sessionId: string): Promise<SessionFacts> {
  const { record, events } = await sessions.export(sessionId);
  const { items } = fold(EMPTY, events.map(readEvent));
  const last = items.findLast((item) => item.kind === 'text' && !item.isRemoved && item.text !== '');
  return {
    sessionId,
    name: record.name,
    folder: record.header.folder,
    state: stateOf(record),
    waitsFor: waitsFor(record),
    answer: last?.kind === 'text' ? cut(last.text, MAX_ANSWER) : '',
  };
}

export function stateOf(row: SessionRow): SessionState {
  if (waitsFor(row) !== null) return 'waiting';
  if (row.isInterrupted) return 'interrupted';
  return row.isConcluded ? 'finished' : 'running';
}

function waitsFor(row: SessionRow): string | null {
  if (row.waitsForApproval) return 'an approval';
  if (row.waitsForQuestion) return 'an answer to a question';
  if (row.waitsForPlan) return 'a decision on a plan';
  if (row.waitsForElicitation) return 'an answer to an MCP server';
  return row.waitsForDescendant ? 'an approval or an answer for a subagent' : null;
}

/** Until the session no longer runs, or the signal is aborted. */
export async function waitForSession(
  { sessions, ambient }: { sessions: Sessions; ambient: Ambient },
  sessionId: string,
  signal: AbortSignal,
): Promise<void> {
  const isRunning = async (): Promise<boolean> => stateOf(await sessions.read(sessionId)) === 'running';
  while (!signal.aborted && (await isRunning())) {
    const { lastSeq } = await sessions.read(sessionId);
    for await (const _news of sessions.follow(sessionId, lastSeq, signal)) if (!(await isRunning())) return;
    // The stream of a turn ends shortly before its row changes.
    await ambient.sleep(PAUSE_MS, signal).catch(() => undefined);
  }
}

/** The changes of the session's tool calls as a unified diff, in the order in which files were first touched. */
export async function sessionChanges(sessions: Sessions, sessionId: string): Promise<string> {
  const [{ events }, { createTwoFilesPatch, FILE_HEADERS_ONLY }] = await Promise.all([
    sessions.export(sessionId),
    import('diff'),
  ]);
  const { changes } = fold(EMPTY, events.map(readEvent));
  const parts = netChanges(changes).map(({ path, before, after, isTooLarge }) => {
    const [old, next] = [before === null ? '/dev/null' : `a/${path}`, after === null ? '/dev/null' : `b/${path}`];
    const patch = isTooLarge
      ? undefined
      : createTwoFilesPatch(old, next, before ?? '', after ?? '', '', '', {
          maxEditLength: MAX_EDITS,
          headerOptions: FILE_HEADERS_ONLY,
        });
    return patch ?? `--- ${old}\n+++ ${next}\n(too large to show)\n`;
  });
  return cut(parts.join(''), MAX_DIFF) || 'No file was changed by the tools of this session.';
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${textStart(text, most)}\n[… cut: ${text.length} characters]` : text;
