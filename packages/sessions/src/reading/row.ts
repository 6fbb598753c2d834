import type { UsageState } from '@fucina/shared';
import type { TurnOutcome } from '../state/fold.ts';
import type { SessionHeader, SessionSettings } from '../state/session.ts';
import type { UsageTotal } from '../state/usage.ts';
import type { SessionRecord } from '../store/store.ts';
import { type SessionCache, sessionCache } from './metrics.ts';

/** One row of the list of sessions. Times in epoch ms. */
export interface SessionRow {
  header: SessionHeader;
  settings: SessionSettings;
  /** The given name, or the start of the first message. */
  name: string | null;
  isConcluded: boolean;
  isInterrupted: boolean;
  lastReplyAt: number | null;
  waitsForApproval: boolean;
  waitsForApprovalSinceMs: number | null;
  waitsForQuestion: boolean;
  waitsForPlan: boolean;
  /** An MCP server asks the user during a call. */
  waitsForElicitation: boolean;
  /** A sub-agent, at any depth, waits for the user. */
  waitsForDescendant: boolean;
  outcome: TurnOutcome | null;
  closeCode: string | null;
  usage: UsageState | null;
  total: UsageTotal | null;
  cache: SessionCache | null;
  stoppedTurns: readonly number[];
  lastSeq: number;
}

const DERIVED_NAME_LENGTH = 80;

interface Remembered {
  lastSeq: number;
  settings: SessionSettings;
  name: string | null;
  row: SessionRow;
}

const rows = new WeakMap<SessionRecord, Remembered>();

/** The same row object for an unchanged record, so that its encoded text can be cached. */
export function rowOf(record: SessionRecord, now: number): SessionRow {
  const known = rows.get(record);
  const isSame = known?.lastSeq === record.lastSeq && known.settings === record.settings && known.name === record.name;
  // The waiting time of a request increases without a change.
  if (known && isSame && !record.fold.pendingApproval) return known.row;
  const row = makeRow(record, now);
  rows.set(record, { lastSeq: record.lastSeq, settings: record.settings, name: record.name, row });
  return row;
}

function makeRow(record: SessionRecord, now: number): SessionRow {
  const { header, settings, fold, state } = record;
  const isRunning = state === 'running';
  return {
    header,
    settings,
    name: record.name ?? derivedName(header.assignment),
    isConcluded: state === 'concluded',
    isInterrupted: state === 'interrupted',
    lastReplyAt: fold.lastReplyAt,
    waitsForApproval: fold.pendingApproval !== null,
    waitsForApprovalSinceMs: fold.pendingApproval && now - fold.pendingApproval.at,
    waitsForQuestion: fold.pendingQuestion !== null,
    waitsForPlan: fold.pendingPlan !== null,
    waitsForElicitation: fold.elicitations.length > 0,
    waitsForDescendant: false,
    outcome: isRunning ? null : fold.outcome,
    closeCode: isRunning ? null : fold.closeCode,
    usage: fold.usage,
    total: fold.total,
    cache: sessionCache(fold.total),
    stoppedTurns: fold.stoppedTurns,
    lastSeq: record.lastSeq,
  };
}

function derivedName(assignment: string): string | null {
  const words = assignment.trim().replace(/\s+/g, ' ');
  return words ? [...words].slice(0, DERIVED_NAME_LENGTH).join('') : null;
}

const rowsOf = new WeakMap<readonly SessionRecord[], readonly SessionRow[]>();

/**
 * Rows of all sessions, with the requests of their sub-agents; the same array for the same records, unless a waiting
 * time changes.
 */
export function listRows(records: readonly SessionRecord[], now: number): readonly SessionRow[] {
  const known = rowsOf.get(records);
  if (known) return known;
  const waiting = parentsOfWaiting(records);
  const rows = records.map((record) => {
    const row = rowOf(record, now);
    return waiting.has(record.header.sessionId) ? { ...row, waitsForDescendant: true } : row;
  });
  if (!rows.some(({ waitsForApproval }) => waitsForApproval)) rowsOf.set(records, rows);
  return rows;
}

function parentsOfWaiting(records: readonly SessionRecord[]): Set<string> {
  const parents = new Set<string>();
  const asking = records.filter(
    ({ header, fold }) =>
      header.parentId &&
      (fold.pendingApproval || fold.pendingQuestion || fold.pendingPlan || fold.elicitations.length > 0),
  );
  if (!asking.length) return parents;
  const parentOf = new Map(records.map(({ header }) => [header.sessionId, header.parentId]));
  for (const { header } of asking) {
    for (let id: string | null | undefined = header.parentId; id; id = parentOf.get(id)) parents.add(id);
  }
  return parents;
}
