import type { Ambient, SessionEvent } from '@fucina/shared';
import type { Registry } from '../../registry.ts';
import type { Journal } from '../../store/journal.ts';
import type { SessionRecord, SessionStore } from '../../store/store.ts';
import type { TurnChanges } from '../../undo/turn-changes.ts';
import type { Spent } from '../../usage/budget.ts';
import type { Usage } from '../../usage/usage.ts';
import { listRows, type SessionRow } from '../row.ts';
import { type ChangedLines, countChangedLines, NO_CHANGES } from './changed-lines.ts';
import { createLastWords, type LastWords } from './last-words.ts';

/** One session of the board. Times in epoch ms. */
export interface BoardRow {
  sessionId: string;
  /** `waiting`: for the user, also when a sub-agent asks. */
  state: 'running' | 'waiting' | 'interrupted' | 'ended';
  /** The last line that the agent wrote in its current or last turn. */
  lastLine: string | null;
  /** Name of the tool that runs. */
  tool: string | null;
  /** What its turns changed, sub-agents included, without undone turns. */
  changed: ChangedLines;
  spent: Spent;
  turnStartedAt: number | null;
  /** null while the turn runs. */
  turnEndedAt: number | null;
}

/** Sessions that run, wait for the user, or ended in the last hours, newest first; sub-agents are part of theirs. */
export interface Board {
  rows(): Promise<readonly BoardRow[]>;
  /** All rows now, and again whenever one of them changes, at most every half second. */
  follow(signal: AbortSignal): AsyncGenerator<readonly BoardRow[]>;
}

const RECENT_MS = 6 * 60 * 60_000;
const MAX_ROWS = 100;
const REST_MS = 500;
const PAGE = 2_000;

interface BoardParts {
  registry: Pick<Registry, 'list'>;
  store: Pick<SessionStore, 'eventsAfter'>;
  journal: Pick<Journal, 'watch'>;
  turnChanges: TurnChanges;
  usage: Pick<Usage, 'spent'>;
}

/** Events are read once: each session is folded from where the last call ended. */
interface Known {
  words: LastWords;
  through: number;
}

export function createBoard(ambient: Ambient, { registry, store, journal, turnChanges, usage }: BoardParts): Board {
  const known = new Map<number, Known>();
  const counted = new Map<number, { mark: string; lines: Promise<ChangedLines> }>();

  const wordsOf = ({ key, lastSeq }: SessionRecord, from: number): LastWords => {
    const own = known.get(key) ?? { words: createLastWords(), through: Math.min(from, lastSeq) };
    known.set(key, own);
    while (own.through < lastSeq) {
      const page = store.eventsAfter(key, own.through, PAGE);
      for (const { at, json } of page) own.words.apply(JSON.parse(json) as SessionEvent, at);
      own.through = page.at(-1)?.seq ?? lastSeq;
    }
    return own.words;
  };

  const linesOf = (record: SessionRecord, mark: string): Promise<ChangedLines> => {
    const last = counted.get(record.key);
    if (last?.mark === mark) return last.lines;
    const undone = new Set(record.fold.undone.filter(({ files }) => files).map(({ turn }) => turn));
    const turns = turnChanges.turns(record).filter(({ seq }) => !undone.has(seq));
    const lines = countChangedLines(turnChanges.ofAll(record, turns), turnChanges.bytesOf).catch((error: unknown) => {
      ambient.log.warn('board.changes-not-counted', { sessionId: record.header.sessionId, error });
      return NO_CHANGES;
    });
    counted.set(record.key, { mark, lines });
    return lines;
  };

  const rowOf = async (record: SessionRecord, row: SessionRow, agents: readonly SessionRecord[]): Promise<BoardRow> => {
    const words = wordsOf(record, record.fold.runStartSeq - 1);
    // What an agent changed before the first look is in the first count.
    const marks = [words, ...agents.map((agent) => wordsOf(agent, agent.lastSeq))].map((one) => one.changes());
    return {
      sessionId: record.header.sessionId,
      state: stateOf(row),
      lastLine: words.line(),
      tool: words.tool(),
      changed: await linesOf(record, marks.join()),
      spent: usage.spent(record.header.sessionId),
      turnStartedAt: words.startedAt(),
      turnEndedAt: words.endedAt(),
    };
  };

  const rows = async (): Promise<readonly BoardRow[]> => {
    const records = registry.list();
    const now = ambient.now();
    const listed = listRows(records, now);
    const agentsOf = groupAgents(records);
    const shown = records
      .flatMap((record, at) => (isOnBoard(record, listed[at] as SessionRow, now) ? [{ record, at }] : []))
      .slice(0, MAX_ROWS);
    forgetOthers(shown.flatMap(({ record: { key } }) => [key, ...(agentsOf.get(key) ?? []).map((one) => one.key)]));
    return Promise.all(
      shown.map(({ record, at }) => rowOf(record, listed[at] as SessionRow, agentsOf.get(record.key) ?? [])),
    );
  };

  const forgetOthers = (keys: readonly number[]): void => {
    const shown = new Set(keys);
    for (const map of [known, counted]) for (const key of map.keys()) if (!shown.has(key)) map.delete(key);
  };

  return {
    rows,
    async *follow(signal) {
      const changes = watchJournal(journal, signal);
      let last = '';
      try {
        while (!signal.aborted) {
          const current = await rows();
          const text = JSON.stringify(current);
          if (text !== last) yield current;
          last = text;
          await new Promise<void>((resolve) => void ambient.timer(REST_MS, resolve));
          if (!(await changes.next())) return;
        }
      } finally {
        changes.end();
      }
    },
  };
}

const waits = (row: SessionRow): boolean =>
  row.waitsForApproval || row.waitsForQuestion || row.waitsForPlan || row.waitsForElicitation || row.waitsForDescendant;

function stateOf(row: SessionRow): BoardRow['state'] {
  if (waits(row)) return 'waiting';
  if (row.isInterrupted) return 'interrupted';
  return row.isConcluded ? 'ended' : 'running';
}

function isOnBoard({ header }: SessionRecord, row: SessionRow, now: number): boolean {
  if (header.parentId !== null || header.workflowStep) return false;
  return waits(row) || stateOf(row) === 'running' || (row.lastReplyAt ?? header.startedAt) > now - RECENT_MS;
}

/** The sub-agents of each root session, by its key. */
function groupAgents(records: readonly SessionRecord[]): Map<number, SessionRecord[]> {
  const agents = new Map<number, SessionRecord[]>();
  for (const record of records) {
    if (record.rootKey === record.key) continue;
    const group = agents.get(record.rootKey);
    if (group) group.push(record);
    else agents.set(record.rootKey, [record]);
  }
  return agents;
}

/** `next` resolves once something was committed since the last time; false when the journal or the reader has ended. */
function watchJournal(journal: Pick<Journal, 'watch'>, signal: AbortSignal): { next(): Promise<boolean>; end(): void } {
  let isChanged = false;
  let isOver = signal.aborted;
  let wake = (): void => undefined;
  const unwatch = journal.watch({
    changed() {
      isChanged = true;
      wake();
    },
    end,
  });
  signal.addEventListener('abort', end, { once: true });
  function end(): void {
    isOver = true;
    wake();
  }
  return {
    async next() {
      if (!isChanged && !isOver) await new Promise<void>((resolve) => (wake = resolve));
      isChanged = false;
      return !isOver;
    },
    end() {
      signal.removeEventListener('abort', end);
      unwatch();
    },
  };
}
