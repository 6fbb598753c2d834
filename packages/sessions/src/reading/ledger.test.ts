import type { SessionEvent } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { EMPTY_FOLD, foldEvent } from '../state/fold.ts';
import type { SessionRecord } from '../store/store.ts';
import { createCallTable, type Ledger, readLedger } from './ledger.ts';

/** The ledger of a running session with these events, one per second, read `later` ms after the last. */
function ledger(events: readonly SessionEvent[], later: number): Ledger {
  const book = createCallTable();
  let fold = EMPTY_FOLD;
  for (const [index, event] of events.entries()) {
    const place = { seq: index + 1, at: (index + 1) * 1_000 };
    book.apply(event, place);
    fold = foldEvent(fold, event, place);
  }
  const record = { fold, state: 'running', lastSeq: events.length } as SessionRecord;
  return readLedger(record, book, events.length * 1_000 + later);
}

const start: SessionEvent = { type: 'RunStarted', threadId: 't', runId: 'r' };
const call = (toolCallId: string): SessionEvent => ({
  type: 'ToolCallStart',
  toolCallId,
  toolCallName: 'shell',
  avviatoA: 2_000,
});
const background = (fase: string, more: object = {}): SessionEvent => ({
  type: 'CUSTOM',
  name: 'svc.processo-sfondo',
  value: { toolCallId: 'c', fase, ...more },
});
const answered: SessionEvent = {
  type: 'ToolCallResult',
  messageId: 'm',
  toolCallId: 'c',
  content: '',
  role: 'tool',
  comando: 'x',
};

describe('silent processes', () => {
  test.each([
    ['a turn without events', [start], 'turn'],
    ['a command without output', [start, call('c')], 'process'],
    ['a request without an answer', [start, { type: 'ApprovalRequested', requestId: 'q', azione: {} }], 'approval'],
  ] as const)('%s is reported after two minutes', (_what, events, subject) => {
    expect(ledger(events, 119_000).signals).toEqual([]);
    expect(ledger(events, 120_000).signals).toMatchObject([{ kind: 'silence', subject, silentForMs: 120_000 }]);
  });

  test('a question waits without a time limit', () => {
    const asked: SessionEvent = { type: 'UserQuestionRequested', requestId: 'q', questions: [], ripristinabile: true };
    expect(ledger([start, asked], 999_000).signals).toEqual([]);
  });
});

describe('a background command', () => {
  test('continues after its call was answered and ends with its exit code', () => {
    const left = [start, call('c'), background('inizio', { da: 'persona' }), answered];
    expect(ledger(left, 500).processes).toMatchObject([
      { outcome: 'in-background', background: 'persona', exitCode: null, endSeq: null, runningForMs: 2_500 },
    ]);
    const over = [...left, background('fine', { codice: 3 })];
    expect(ledger(over, 500).processes).toMatchObject([{ outcome: 'failed', exitCode: 3, durationMs: 3_000 }]);
  });
});

describe('a command that needs approval', () => {
  const asked: SessionEvent = { type: 'ApprovalRequested', requestId: 'q', azione: { tipo: 'shell' } };
  const resolved = (approvato: boolean): SessionEvent => ({ type: 'ApprovalResolved', requestId: 'q', approvato });

  test('is not listed while it waits, nor is the next one', () => {
    expect(ledger([start, call('c'), call('d'), asked], 500).processes).toEqual([]);
  });

  test('is timed from the approval', () => {
    const processes = ledger([start, call('c'), call('d'), asked, resolved(true)], 500).processes;
    expect(processes).toMatchObject([{ toolCallId: 'c', outcome: 'running', runningForMs: 500 }]);
  });

  test('is not listed when denied or never started', () => {
    const denied: SessionEvent = { ...answered, comando: undefined, fallito: true } as SessionEvent;
    expect(ledger([start, call('c'), asked, resolved(false), denied], 500).processes).toEqual([]);
    const stopped = { ...denied, interrotto: true } as SessionEvent;
    expect(ledger([start, call('c'), stopped], 500).processes).toEqual([]);
  });

  test('lets the next one start when it ends', () => {
    const processes = ledger([start, call('c'), call('d'), answered], 700).processes;
    expect(processes).toMatchObject([{ toolCallId: 'c' }, { toolCallId: 'd', runningForMs: 700 }]);
  });
});
