import { later } from '../../ambient.ts';

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'failed';

export interface Saver<Value> {
  /** Saved once nothing changed for a moment; what changes while a save runs is saved after it. */
  change(value: Value): void;
  /** Now, if there is anything to save. Settles when everything is saved, or could not be. */
  flush(): Promise<void>;
}

interface SaverNeeds<Value> {
  save(value: Value): Promise<void>;
  onState(state: SaveState, error?: unknown): void;
}

const PAUSE_MS = 600;
const RETRY_MS = 5_000;

/** Keeps what a user writes saved, in order, one save at a time. What could not be saved is tried again, and never dropped. */
export function createSaver<Value>({ save, onState }: SaverNeeds<Value>): Saver<Value> {
  let waiting: { value: Value } | undefined;
  let running: Promise<void> | undefined;
  let cancel = (): void => undefined;

  const run = async (): Promise<void> => {
    while (waiting) {
      const { value } = waiting;
      waiting = undefined;
      onState('saving');
      try {
        await save(value);
      } catch (error) {
        waiting ??= { value };
        onState('failed', error);
        cancel = later(RETRY_MS, () => void flush());
        return;
      }
    }
    onState('saved');
  };
  const flush = (): Promise<void> => {
    cancel();
    if (!running && waiting) {
      running = run().finally(() => {
        running = undefined;
      });
    }
    return running ?? Promise.resolve();
  };
  return {
    change(value) {
      waiting = { value };
      cancel();
      if (!running) onState('unsaved');
      cancel = later(PAUSE_MS, () => void flush());
    },
    flush,
  };
}
