import { readStored, writeStored } from '../ambient.ts';

const STORAGE_KEY = 'titles.isSuggested';
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** Whether the model names new sessions: on, unless it was turned off in this browser. */
export const hasSuggestedTitles = (): boolean => readStored(STORAGE_KEY, isBoolean) ?? true;

export function setSuggestedTitles(isOn: boolean): void {
  writeStored(STORAGE_KEY, isOn);
}
