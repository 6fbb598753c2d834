import { graceMs, nextRun } from '@fucina/conversation/schedule';
import { nextLegacyRun } from './legacy.ts';
import type { AnyAutomation, Automation, Lateness } from './records.ts';
import type { Store } from './store.ts';

const ON_TIME_MS = 300_000;
const MOST_CLAIMED = 1_000;

/** The next scheduled time of an active automation, skipping times that were claimed before a clock went back. */
export function nextFree(
  record: AnyAutomation,
  now: number,
  { store, systemZone }: { store: Pick<Store, 'isClaimed'>; systemZone: string },
): number | null {
  if (record.version === 1) return nextLegacyRun(record, now, systemZone);
  let after = now;
  for (let look = 0; look < MOST_CLAIMED; look += 1) {
    const next = nextRun(record, after, record.lastRunAt);
    if (next === undefined) return null;
    if (!store.isClaimed(record.id, next)) return next;
    after = next;
  }
  return null;
}

export function latenessOf(record: AnyAutomation, scheduledAt: number, now: number): Lateness {
  const late = now - scheduledAt;
  if (late <= ON_TIME_MS) return 'on-time';
  const grace =
    record.version === 1
      ? graceMs({ schedule: { kind: 'every', minutes: record.intervalMinutes }, zone: 'UTC' }, scheduledAt)
      : graceMs(record, scheduledAt);
  return late <= grace ? 'late' : 'catch-up';
}

/** After a run that counts; the last one deactivates the automation. */
export function counted(record: Automation): Automation {
  const executed = record.executed + 1;
  const isOver = record.repeats !== null && executed >= record.repeats;
  return { ...record, executed, ...(isOver && { isOn: false, nextRunAt: null }) };
}
