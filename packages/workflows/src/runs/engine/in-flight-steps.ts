import type { WorkflowNode } from '../../definition/core.ts';
import type { Lease } from '../steps/attempts.ts';

/** A step in flight in this process: its session is running, or its outcome is being looked up. */
export interface InFlightStep {
  run: number;
  ord: number;
  node: WorkflowNode;
  lease: Lease;
  attempt: number;
  stepSessionId: string;
  /** Null for one that uses no capacity. */
  provider: string | null;
  controller: AbortController;
}

export interface InFlightSteps {
  add(running: InFlightStep): void;
  end(executionId: string): void;
  get(executionId: string): InFlightStep | undefined;
  ofRun(run: number): InFlightStep[];
  all(): InFlightStep[];
  /** Number of steps that use capacity: of one provider, or in total. */
  count(provider?: string): number;
  inRun(run: number): number;
}

export function createInFlightSteps(): InFlightSteps {
  const inFlight = new Map<string, InFlightStep>();
  const byRun = new Map<number, number>();
  const byProvider = new Map<string, number>();
  let holding = 0;
  const bump = <Key>(counts: Map<Key, number>, key: Key, by: 1 | -1): void => {
    const next = (counts.get(key) ?? 0) + by;
    if (next) counts.set(key, next);
    else counts.delete(key);
  };
  const count = ({ run, provider }: InFlightStep, by: 1 | -1): void => {
    bump(byRun, run, by);
    if (provider === null) return;
    bump(byProvider, provider, by);
    holding += by;
  };
  return {
    add(running) {
      inFlight.set(running.lease.executionId, running);
      count(running, 1);
    },
    end(executionId) {
      const running = inFlight.get(executionId);
      if (!running) return;
      inFlight.delete(executionId);
      count(running, -1);
    },
    get: (executionId) => inFlight.get(executionId),
    ofRun: (run) => [...inFlight.values()].filter((running) => running.run === run),
    all: () => [...inFlight.values()],
    count: (provider) => (provider === undefined ? holding : (byProvider.get(provider) ?? 0)),
    inRun: (run) => byRun.get(run) ?? 0,
  };
}
