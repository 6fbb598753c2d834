import type { Candidate } from './candidate.ts';
import type { Trigger } from './trigger.ts';

/** `isMoved`: the user moved to a row with the arrow keys. */
interface Shown {
  candidates: readonly Candidate[];
  chosen: number;
  isMoved: boolean;
  trigger: Trigger;
}

/** The suggestion list for the text at the cursor. */
export interface Suggestions {
  /** Undefined without suggestions. */
  list(): Shown | undefined;
  /** The text changed: updates or closes the list. Late results are dropped. */
  follow(trigger: Trigger | undefined): void;
  move(by: number): void;
  /** Undefined also while the list belongs to earlier text. */
  current(): Candidate | undefined;
  /** Until other text is typed. */
  dismiss(): void;
  close(): void;
}

export interface SuggestionsNeeds {
  candidates(trigger: Trigger): Promise<readonly Candidate[]>;
  changed(): void;
}

export function createSuggestions({ candidates, changed }: SuggestionsNeeds): Suggestions {
  let isFresh = false;
  let shown: Shown | undefined;
  /** The current query; undefined: none. */
  let wanted: Trigger | undefined;
  /** Kinds with a search in progress. One at a time per kind, so that a folder is not walked for every letter. */
  const running = new Set<Trigger['kind']>();
  let dismissed: string | undefined;
  const keyOf = (trigger: Trigger): string => `${trigger.kind} ${trigger.from}`;

  async function look(trigger: Trigger): Promise<void> {
    const { kind } = trigger;
    if (running.has(kind)) return;
    running.add(kind);
    // A failed search gives no suggestions; the error is reported when the text is used.
    const found = await candidates(trigger).catch(() => []);
    running.delete(kind);
    if (wanted === trigger) {
      isFresh = true;
      shown = found.length > 0 ? { candidates: found, chosen: 0, isMoved: false, trigger } : undefined;
      changed();
    } else if (wanted?.kind === kind) await look(wanted);
  }

  return {
    list: () => shown,
    current: () => (isFresh ? shown?.candidates[shown.chosen] : undefined),
    follow(trigger) {
      isFresh = false;
      if (!trigger || dismissed !== keyOf(trigger)) dismissed = undefined;
      wanted = dismissed === undefined ? trigger : undefined;
      // The previous list stays until the next one is ready, if it is of the same kind.
      if (!wanted || (shown && keyOf(shown.trigger) !== keyOf(wanted))) shown = undefined;
      else if (shown) shown = { ...shown, trigger: wanted };
      if (wanted) void look(wanted);
    },
    move(by) {
      if (!shown) return;
      const count = shown.candidates.length;
      shown = { ...shown, chosen: (shown.chosen + by + count) % count, isMoved: true };
    },
    dismiss() {
      if (shown) dismissed = keyOf(shown.trigger);
      wanted = undefined;
      shown = undefined;
    },
    close() {
      dismissed = undefined;
      wanted = undefined;
      shown = undefined;
    },
  };
}
