import { type Dispatch, type SetStateAction, useState } from 'react';
import { useSearchParams } from 'react-router';
import { type Choices, lastChoices } from './choices.ts';

/** The last choices, with the folder that the address names (`?folder=`) in place of the last one. */
export function useChoices(): [Choices, Dispatch<SetStateAction<Choices>>] {
  const path = useSearchParams()[0].get('folder');
  return useState(() => ({ ...lastChoices(), ...(path ? { folder: { path } } : {}) }));
}
