import type { Ambient } from '@fucina/shared';
import type { Tool as ServerTool } from '@modelcontextprotocol/client';

/** What failed is tried again after this time. */
export const RETRY_MS = 30_000;

/** The tools of a running server, asked for again after a change. */
export interface ToolList {
  /** The current ones; after a failure the last ones, until it is asked again. Rejects when asking fails. */
  read(): Promise<readonly ServerTool[]>;
  /** What it listed last; undefined before that. */
  last(): readonly ServerTool[] | undefined;
  isCurrent(): boolean;
  isReading(): boolean;
  /** When asking failed, by the monotonic clock, if it failed last. */
  problemAt(): number | undefined;
  /** The server has another list now. */
  change(): void;
}

export function createToolList({ monotonic }: Ambient, ask: () => Promise<readonly ServerTool[]>): ToolList {
  let known: readonly ServerTool[] | undefined;
  let changes = 0;
  let knownAt = -1;
  let failedAt: number | undefined;
  let reading: Promise<readonly ServerTool[]> | undefined;
  const isCurrent = (): boolean => known !== undefined && knownAt === changes;

  const readAgain = async (): Promise<readonly ServerTool[]> => {
    const at = changes;
    try {
      known = await ask();
      // A list that changed meanwhile is asked for again at the next use.
      knownAt = at;
      failedAt = undefined;
      return known;
    } catch (error) {
      failedAt = monotonic();
      throw error;
    } finally {
      reading = undefined;
    }
  };
  return {
    async read() {
      if (known && isCurrent()) return known;
      if (failedAt !== undefined && monotonic() - failedAt < RETRY_MS) return known ?? [];
      reading ??= readAgain();
      return reading;
    },
    last: () => known,
    isCurrent,
    isReading: () => reading !== undefined,
    problemAt: () => failedAt,
    change() {
      changes += 1;
    },
  };
}
