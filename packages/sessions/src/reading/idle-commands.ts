import { type Ambient, activityMark } from '@fucina/shared';

/** Knows moments at which the running commands of a session did nothing at all. */
export interface IdleCommands {
  /** Whether no command did anything at this moment (epoch ms), as far as the system lets us know. */
  wereIdle(at: number): Promise<boolean>;
  end(): void;
}

interface IdleNeeds {
  ambient: Ambient;
  isAnyRunning(): boolean;
  /** Epoch ms: when the oldest of the running commands began. */
  runningSince(): number;
  /** Called when a command begins. The answer ends it. */
  onBegin(listener: () => void): () => void;
}

const SAMPLE_MS = 250;
const MAX_PERIODS = 256;
/** Clocks of file systems step by some milliseconds. */
const CLOCK_STEP_MS = 20;
/** A process is begun a moment before, or after, its command is noted. */
const START_SLACK_MS = 1_000;

interface Period {
  mark: string;
  from: number;
  to: number;
}

export function createIdleCommands({ ambient, isAnyRunning, runningSince, onBegin }: IdleNeeds): IdleCommands {
  const periods: Period[] = [];
  let cancel: (() => void) | undefined;
  let isOver = false;

  const sample = async (): Promise<void> => {
    const beganAt = ambient.now();
    const mark = await activityMark(runningSince() - START_SLACK_MS, beganAt);
    const last = periods.at(-1);
    if (mark !== undefined && last?.mark === mark) last.to = Math.max(last.to, beganAt);
    else if (mark !== undefined) {
      const endedAt = ambient.now();
      // A sample alone proves nothing.
      if (last && last.from >= last.to) periods.pop();
      periods.push({ mark, from: endedAt, to: endedAt });
      if (periods.length > MAX_PERIODS) periods.shift();
    }
  };
  const goOn = (): void => {
    if (isOver || cancel || !isAnyRunning()) return;
    cancel = ambient.timer(SAMPLE_MS, () => {
      cancel = undefined;
      void sample().then(goOn);
    });
  };
  // The first sample comes a period later: most commands have ended by then, and one sample proves nothing.
  const stopListening = onBegin(goOn);
  goOn();

  return {
    async wereIdle(at) {
      if (isAnyRunning()) await sample();
      return periods.some(({ from, to }) => from <= at && at + CLOCK_STEP_MS <= to);
    },
    end() {
      isOver = true;
      stopListening();
      cancel?.();
    },
  };
}
