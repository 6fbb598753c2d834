import { later } from '../../ambient.ts';

export type SaveState = 'saved' | 'unsaved' | 'saving' | 'failed';

export interface Saver<Value> {
  /** Saved after a pause; changes during a save are saved after it. */
  change(value: Value): void;
  /** Saves at once, if needed. Resolves when everything is saved, or failed. */
  flush(): Promise<void>;
}

interface SaverNeeds<Value> {
  save(value: Value): Promise<void>;
  onState(state: SaveState, error?: unknown): void;
}

const PAUSE_MS = 600;
const RETRY_MS = 5_000;

/** Saves edits in order, one at a time. Failed saves are retried and never dropped. */
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
