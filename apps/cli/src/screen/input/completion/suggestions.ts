import type { Candidate } from './candidate.ts';
import type { Trigger } from './trigger.ts';

/** `isMoved`: the user went to a row with the arrow keys. */
interface Shown {
  candidates: readonly Candidate[];
  chosen: number;
  isMoved: boolean;
  trigger: Trigger;
}

/** The list under way while something is typed that can be completed. */
export interface Suggestions {
  /** Undefined while there is nothing to choose. */
  list(): Shown | undefined;
  /** The text changed: asks again, or closes. An answer that comes late is dropped. */
  follow(trigger: Trigger | undefined): void;
  move(by: number): void;
  /** Undefined also while the list is still that of what was typed before. */
  current(): Candidate | undefined;
  /** Until what is typed is another thing. */
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
  /** What is wanted now; undefined: nothing. */
  let wanted: Trigger | undefined;
  /** Kinds that are being looked for. One search at a time of each: a folder is not walked once for every letter. */
  const running = new Set<Trigger['kind']>();
  let dismissed: string | undefined;
  const keyOf = (trigger: Trigger): string => `${trigger.kind} ${trigger.from}`;

  async function look(trigger: Trigger): Promise<void> {
    const { kind } = trigger;
    if (running.has(kind)) return;
    running.add(kind);
    // What cannot be looked for has nothing to suggest; it is told when it is used.
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
      // The list of before stays until the next one is there, if it is for the same thing.
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
