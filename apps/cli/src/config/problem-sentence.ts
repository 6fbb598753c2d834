import type { AppError } from '@fucina/shared';
import { cleanLine } from '../clean-text.ts';
import type { Say } from '../words/index.ts';
import { type Problem, placeOf } from './settings-file.ts';

const WIDTH = 300;

/** Names come from untrusted files. */
export function problemSentence(path: string, problem: Problem, say: Say): string {
  const { kind, key = '', allowed = '' } = problem;
  const file = cleanLine(placeOf(path, problem), Number.MAX_SAFE_INTEGER);
  return say(`config.problem-${kind}`, { file, key: cleanLine(key, WIDTH), allowed });
}

/** For an error of `invalidFile`; undefined for any other. */
export function settingsFileSentence({ details }: Pick<AppError, 'details'>, say: Say): string | undefined {
  const { path, problem } = (details ?? {}) as { path?: string; problem?: Problem };
  return path === undefined || problem === undefined ? undefined : problemSentence(path, problem, say);
}
