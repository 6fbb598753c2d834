import type { SqliteDatabase } from '@fucina/shared';
import type { FactType } from '../journal/facts.ts';
import type { StepErrorClass } from '../ports.ts';

/** Failures caused by the provider itself; others do not count. */
const TROUBLE: ReadonlySet<string> = new Set<StepErrorClass>([
  'rate_limit',
  'transient_network',
  'provider_5xx',
  'timeout',
]);
const OPENS_AFTER = 5;
const REST_MS = 30_000;
const MOST_REST_MS = 10 * 60_000;

export interface CircuitFact {
  type: Extract<FactType, 'circuit_opened' | 'circuit_half_open' | 'circuit_closed' | 'provider_limit_changed'>;
  payload: Record<string, unknown>;
}

/**
 * Circuit breakers. After five consecutive failures of its own a provider is paused; then a single step tests it. A
 * rate-limited provider gets half the parallel steps, and one more with every success.
 */
export interface Circuits {
  /** `until`: when an open circuit allows its test step, in ms since the epoch. */
  admits(provider: string, inFlight: number): { isOpen: false } | { isOpen: true; until: number | null };
  /** A step of this provider starts. */
  begin(provider: string): CircuitFact[];
  /** A step ended; undefined: success. Called in the transaction that records it. */
  end(provider: string, failure: { errorClass: StepErrorClass; retryAfterMs?: number } | undefined): CircuitFact[];
  /** Reloads the stored state: after a rolled back transaction, and at startup. */
  reload(): void;
}

interface Circuit {
  state: 'closed' | 'open' | 'half_open';
  failures: number;
  until: number | null;
  limit: number;
}

export function createCircuits(
  db: SqliteDatabase,
  { now, perProvider }: { now(): number; perProvider: number },
): Circuits {
  const sql = {
    all: db.prepare<[], Omit<Circuit, 'limit'> & { provider: string }>(
      'SELECT provider, state, failures, until FROM circuits',
    ),
    save: db.prepare('INSERT OR REPLACE INTO circuits (provider, state, failures, until) VALUES (?, ?, ?, ?)'),
  };
  let known = new Map<string, Circuit>();
  const of = (provider: string): Circuit => {
    const found = known.get(provider) ?? { state: 'closed', failures: 0, until: null, limit: perProvider };
    known.set(provider, found);
    return found;
  };
  const save = (provider: string, { state, failures, until }: Circuit): void =>
    void sql.save.run(provider, state, failures, until);
  const limit = (provider: string, circuit: Circuit, to: number): CircuitFact[] => {
    if (to === circuit.limit) return [];
    const from = circuit.limit;
    circuit.limit = to;
    return [{ type: 'provider_limit_changed', payload: { provider, from, to } }];
  };

  const close = (provider: string, circuit: Circuit): CircuitFact[] => {
    const facts = limit(provider, circuit, Math.min(perProvider, circuit.limit + 1));
    if (circuit.state === 'closed' && circuit.failures === 0) return facts;
    const wasClosed = circuit.state === 'closed';
    Object.assign(circuit, { state: 'closed', failures: 0, until: null });
    save(provider, circuit);
    return wasClosed ? facts : [{ type: 'circuit_closed', payload: { provider } }, ...facts];
  };

  return {
    admits(provider, inFlight) {
      const { state, until, limit: most } = of(provider);
      if (state === 'open' && (until ?? 0) > now()) return { isOpen: true, until };
      if (state !== 'closed') return inFlight === 0 ? { isOpen: false } : { isOpen: true, until: null };
      return inFlight < most ? { isOpen: false } : { isOpen: true, until: null };
    },
    begin(provider) {
      const circuit = of(provider);
      if (circuit.state !== 'open') return [];
      circuit.state = 'half_open';
      save(provider, circuit);
      return [{ type: 'circuit_half_open', payload: { provider } }];
    },
    end(provider, failure) {
      const circuit = of(provider);
      if (!failure) return close(provider, circuit);
      if (!TROUBLE.has(failure.errorClass)) {
        // The test step gave no information about the provider: the next step tests again.
        if (circuit.state === 'half_open') Object.assign(circuit, { state: 'open', until: now() });
        save(provider, circuit);
        return [];
      }
      const facts =
        failure.errorClass === 'rate_limit' ? limit(provider, circuit, Math.max(1, Math.floor(circuit.limit / 2))) : [];
      circuit.failures += 1;
      const opens = circuit.state === 'half_open' || circuit.failures >= OPENS_AFTER;
      // Steps that were running when it opened are ignored.
      if (opens && circuit.state !== 'open') {
        const rest = Math.min(MOST_REST_MS, REST_MS * 2 ** Math.min(circuit.failures - OPENS_AFTER, 10));
        circuit.until = now() + Math.max(rest, failure.retryAfterMs ?? 0, REST_MS);
        circuit.state = 'open';
        const { failures, until } = circuit;
        facts.push({ type: 'circuit_opened', payload: { provider, failures, until } });
      }
      save(provider, circuit);
      return facts;
    },
    reload() {
      known = new Map(sql.all.all().map(({ provider, ...row }) => [provider, { ...row, limit: perProvider }]));
      // A test step that was running ended with its process.
      for (const circuit of known.values()) if (circuit.state === 'half_open') circuit.state = 'open';
    },
  };
}
