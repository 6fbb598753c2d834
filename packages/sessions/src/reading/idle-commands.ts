import { type Ambient, activityMark } from '@fucina/shared';

/** Detects times at which the running commands of a session were idle. */
export interface IdleCommands {
  /** Asks the system once: whether every command was idle at a time (epoch ms) up to now, as far as it reports that. */
  wereIdle(): Promise<(at: number) => boolean>;
  end(): void;
}

interface IdleNeeds {
  ambient: Ambient;
  isAnyRunning(): boolean;
  /** Epoch ms: start of the oldest running command. */
  runningSince(): number;
  /** Called when a command starts. The returned function unsubscribes. */
  onBegin(listener: () => void): () => void;
}

const SAMPLE_MS = 250;
const MAX_PERIODS = 256;
/** File system clocks have steps of some milliseconds. */
const CLOCK_STEP_MS = 20;
/** A process may start slightly before or after its command is recorded. */
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
      // A single sample is not enough.
      if (last && last.from >= last.to) periods.pop();
      periods.push({ mark, from: endedAt, to: endedAt });
      if (periods.length > MAX_PERIODS) periods.shift();
    }
  };
  const goOn = (): void => {
    if (isOver || cancel || !isAnyRunning()) return;
    cancel = ambient.timer(SAMPLE_MS, () => {
      cancel = undefined;
      // Most commands have ended by now.
      if (isAnyRunning()) void sample().then(goOn);
    });
  };
  // The first sample comes one period later: most commands have ended by then, and a single sample is not enough.
  const stopListening = onBegin(goOn);
  goOn();

  return {
    async wereIdle() {
      if (isAnyRunning()) await sample();
      return (at) => periods.some(({ from, to }) => from <= at && at + CLOCK_STEP_MS <= to);
    },
    end() {
      isOver = true;
      stopListening();
      cancel?.();
    },
  };
}
