import type { Ambient } from '@fucina/shared';
import type { TurnTable } from '../store/turn-table.ts';
import type { FileHistory } from './file-history.ts';

/**
 * Deletes contents that no journal refers to any more: once after startup, and some time after a session was deleted.
 */
export interface HistorySweep {
  nudge(): void;
  stop(): void;
}

const LATER_MS = 60_000;

export function createHistorySweep(
  { ambient, history }: { ambient: Ambient; history: Pick<FileHistory, 'sweep'> },
  table: Pick<TurnTable, 'referencedContents'>,
): HistorySweep {
  let cancel: (() => void) | undefined;
  const sweep = (): void => {
    cancel = undefined;
    const used = table.referencedContents();
    history
      .sweep((sha256) => used.has(sha256))
      .then(
        (swept) => swept && ambient.log.info('history.swept', { swept }),
        (error: unknown) => ambient.log.warn('history.sweep-failed', { error }),
      );
  };
  return {
    nudge: () => void (cancel ??= ambient.timer(LATER_MS, sweep)),
    stop: () => cancel?.(),
  };
}
