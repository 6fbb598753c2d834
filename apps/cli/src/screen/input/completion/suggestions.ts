import type { Candidate } from './candidate.ts';
import type { Trigger } from './trigger.ts';

/** The list under way while something is typed that can be completed. */
export interface Suggestions {
  /** Undefined while there is nothing to choose. */
  list(): { candidates: readonly Candidate[]; chosen: number; trigger: Trigger } | undefined;
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
  let shown: { candidates: readonly Candidate[]; chosen: number; trigger: Trigger } | undefined;
  let asked = 0;
  let dismissed: string | undefined;
  const keyOf = (trigger: Trigger): string => `${trigger.kind} ${trigger.from}`;

  return {
    list: () => shown,
    current: () => (isFresh ? shown?.candidates[shown.chosen] : undefined),
    follow(trigger) {
      const turn = ++asked;
      isFresh = false;
      if (!trigger || dismissed !== keyOf(trigger)) dismissed = undefined;
      if (!trigger || dismissed !== undefined) {
        shown = undefined;
        return;
      }
      // The list of before stays until the next one is there, if it is for the same thing.
      if (shown && keyOf(shown.trigger) !== keyOf(trigger)) shown = undefined;
      else if (shown) shown = { ...shown, trigger };
      void candidates(trigger)
        .catch(() => [])
        .then((found) => {
          if (turn !== asked) return;
          isFresh = true;
          shown = found.length > 0 ? { candidates: found, chosen: 0, trigger } : undefined;
          changed();
        });
    },
    move(by) {
      if (!shown) return;
      const count = shown.candidates.length;
      shown = { ...shown, chosen: (shown.chosen + by + count) % count };
    },
    dismiss() {
      if (shown) dismissed = keyOf(shown.trigger);
      asked++;
      shown = undefined;
    },
    close() {
      asked++;
      dismissed = undefined;
      shown = undefined;
    },
  };
}
