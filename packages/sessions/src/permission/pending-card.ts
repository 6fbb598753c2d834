import type { PlanDecision } from '../state/custom-events.ts';

/** The user's answer to a pending card. */
export type CardAnswer =
  | { kind: 'approval'; isApproved: boolean }
  | {
      kind: 'question';
      status: 'answered' | 'skipped' | 'cancelled' | 'expired';
      answers?: Record<string, string | string[]>;
      skipped?: readonly string[];
      notes?: Record<string, string>;
    }
  | { kind: 'plan'; decision: PlanDecision; feedback?: string; newSessionId?: string };

/** Waits of a running turn for the user: one card at a time. Requests and answers are in the journal, not here. */
export interface CardSlot {
  /**
   * Shows a card, waits for its answer and records it, once no other card is open. Undefined, without showing it, if
   * the turn was stopped or redirected before.
   */
  exclusive<Result>(show: () => Promise<Result>): Promise<Result | undefined>;
  /** Resolves with undefined when the turn is stopped or redirected before an answer. */
  wait(requestId: string): Promise<CardAnswer | undefined>;
  /** The answer is already on disk. False when nothing waits for this request. */
  answer(requestId: string, answer: CardAnswer): boolean;
  /** Closes this one card without an answer. */
  withdraw(requestId: string): void;
  cancel(): void;
}

export function createCardSlot(signal: AbortSignal): CardSlot {
  let open: { requestId: string; settle(answer: CardAnswer | undefined): void } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let cancelled = 0;

  const settle = (answer: CardAnswer | undefined): void => {
    const card = open;
    open = undefined;
    card?.settle(answer);
  };
  let watchesSignal = false;
  /** From the first card on: most turns show none. */
  const watchSignal = (): void => {
    if (!watchesSignal) signal.addEventListener('abort', () => settle(undefined), { once: true });
    watchesSignal = true;
  };

  return {
    exclusive(show) {
      const before = cancelled;
      const shown = last.then(() => (signal.aborted || cancelled > before ? undefined : show()));
      last = shown.catch(() => undefined); // reported to the caller
      return shown;
    },
    wait(requestId) {
      if (signal.aborted) return Promise.resolve(undefined);
      watchSignal();
      return new Promise((resolve) => (open = { requestId, settle: resolve }));
    },
    answer(requestId, answer) {
      if (open?.requestId !== requestId) return false;
      settle(answer);
      return true;
    },
    withdraw(requestId) {
      if (open?.requestId === requestId) settle(undefined);
    },
    cancel() {
      cancelled += 1;
      settle(undefined);
    },
  };
}
