import type { ModelToolCall } from '@fucina/shared';

/** Counts identical recent calls, so that a looping model can be warned. */
export interface Repeats {
  /** How many of the last calls were identical to this one, itself included. */
  note(call: Pick<ModelToolCall, 'name' | 'arguments'>): number;
}

export const CALL_WINDOW = 12;
export const REPETITIONS_FOR_ALARM = 3;

export function createRepeats(): Repeats {
  let last: string[] = [];
  return {
    note({ name, arguments: text }) {
      const key = `${name} ${text}`;
      last = [...last, key].slice(-CALL_WINDOW);
      return last.filter((one) => one === key).length;
    },
  };
}

export function repetitionNotice(count: number): string {
  return `[You have made this same call ${count} times within your last ${CALL_WINDOW} calls. Its answer will not change by itself: try something else, or say what stops you.]`;
}
