import { now, readStored, removeStored, writeStored } from '../../ambient.ts';

const NAME = 'in-sight';
/** A tab in sight says so every few seconds; one that crashed says it no more. */
const VALID_MS = 6_000;

const isTime = (value: unknown): value is number => typeof value === 'number';

/** Whether the user looks at this tab. */
export const isInSight = (): boolean => document.visibilityState === 'visible' && document.hasFocus();

/** Tells the other tabs of this browser that the user looks at this one. */
export function reportInSight(): void {
  if (isInSight()) writeStored(NAME, now());
}

export function reportOutOfSight(): void {
  if (!isInSight()) removeStored(NAME);
}

/** Whether the user looks at any tab of the window in this browser. */
export const isAnyTabInSight = (): boolean =>
  isInSight() || now() - (readStored(NAME, isTime) ?? Number.NEGATIVE_INFINITY) < VALID_MS;
