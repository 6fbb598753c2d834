import type { Ambient } from '@fucina/shared';
import type { Journal } from '../journal/journal.ts';
import type { RunRow, StepRow } from '../journal/rows.ts';
import { takeOver } from '../steps/attempts.ts';

export interface TakenOver {
  run: RunRow;
  /** Steps in flight, under a new epoch: the outcome of each must be looked up. */
  steps: StepRow[];
}

/** In one transaction: ignores everything that the earlier owner of these runs still reports. */
export function takeOverRuns({ journal, ambient }: { journal: Journal; ambient: Ambient }, keys: readonly number[]) {
  return journal.write((tx) =>
    keys.map((key): TakenOver => {
      const writer = tx.run(key);
      const cut = tx.rows.active(key).filter(({ state }) => state !== 'uncertain');
      return { run: { ...writer.run }, steps: cut.map((step) => takeOver({ writer, ambient }, step)) };
    }),
  );
}
