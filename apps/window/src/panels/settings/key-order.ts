import type { PoolKey } from '../../wire/records.ts';

/** Priorities leave gaps, so that a key can be inserted between two. */
const STEP = 10;
const HIGHEST = 1_000;

type Placed = Pick<PoolKey, 'fingerprint' | 'name' | 'priority'>;

const fits = (priority: number): boolean => Math.abs(priority) <= HIGHEST;
/** Keys of equal priority are used in the order of their numbers. */
const numberOf = ({ name }: Placed): number => Number(/\d+/.exec(name)?.[0] ?? 0);

/** The priority of a new key after or before all others. Lower is used first. */
export function priorityAt(pool: readonly Placed[], place: 'first' | 'last'): number {
  const priorities = pool.map(({ priority }) => priority);
  if (priorities.length === 0) return 0;
  return place === 'last'
    ? Math.min(HIGHEST, Math.max(...priorities) + STEP)
    : Math.max(-HIGHEST, Math.min(...priorities) - STEP);
}

function isBetween(key: Placed, priority: number, [before, after]: readonly [Placed | undefined, Placed | undefined]) {
  const isAfter = (other: Placed) =>
    priority > other.priority || (priority === other.priority && numberOf(key) > numberOf(other));
  const isBefore = (other: Placed) =>
    priority < other.priority || (priority === other.priority && numberOf(key) < numberOf(other));
  return fits(priority) && (!before || isAfter(before)) && (!after || isBefore(after));
}

function between(key: Placed, [before, after]: readonly [Placed | undefined, Placed | undefined]): number | undefined {
  const low = before?.priority ?? (after?.priority ?? 0) - 2 * STEP;
  const high = after?.priority ?? low + 2 * STEP;
  const candidates = [Math.floor((low + high) / 2), low + 1, high - 1, low, high];
  return candidates.find((priority) => isBetween(key, priority, [before, after]));
}

/**
 * The priority that moves a key up or down by one position; by more if there is no number between two others. Undefined
 * at the end of the list.
 */
export function priorityMoved(
  pool: readonly Placed[],
  fingerprint: string,
  direction: 'up' | 'down',
): number | undefined {
  const at = pool.findIndex((key) => key.fingerprint === fingerprint);
  const key = pool[at];
  if (!key) return undefined;
  const others = pool.filter((other) => other !== key);
  const step = direction === 'up' ? -1 : 1;
  for (let place = at + step; place >= 0 && place <= others.length; place += step) {
    const found = between(key, [others[place - 1], others[place]]);
    if (found !== undefined) return found;
  }
  return undefined;
}
