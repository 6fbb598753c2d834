import { now, readStored, removeStored, writeStored } from '../../ambient.ts';

const NAME = 'in-sight';
/** A visible tab reports itself every few seconds; a crashed one stops doing so. */
const VALID_MS = 6_000;

const isTime = (value: unknown): value is number => typeof value === 'number';

/** Whether this tab is visible and focused. */
export const isInSight = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

/** Tells the other tabs of this browser that this one is visible. */
export function reportInSight(): void {
  if (isInSight()) writeStored(NAME, now());
}

export function reportOutOfSight(): void {
  if (!isInSight()) removeStored(NAME);
}

/** Whether any tab of the window is visible in this browser. */
export const isAnyTabInSight = (): boolean =>
  isInSight() || now() - (readStored(NAME, isTime) ?? Number.NEGATIVE_INFINITY) < VALID_MS;
