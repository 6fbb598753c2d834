import type { Problem } from '../store/definitions.ts';

const MAX_PROBLEMS = 1_000;
const MAX_SUBJECTS = 10;
/** Bytes of JSON per list: two lists and the estimates fit in a preflight of 256 KiB. */
const MAX_BYTES = 120 * 1024;

/** The problems found, up to the limit. `total` also counts the rest. */
export interface Problems {
  add(code: string, message: string, ...subjects: string[]): void;
  total(): number;
  list(): readonly Problem[];
}

export function collectProblems(): Problems {
  const kept: Problem[] = [];
  let total = 0;
  let room = MAX_BYTES;
  return {
    total: () => total,
    list: () => kept,
    add(code, message, ...subjects) {
      total += 1;
      if (kept.length === MAX_PROBLEMS || room <= 0) return;
      const problem = { code, message, subjects: subjects.slice(0, MAX_SUBJECTS) };
      const size = Buffer.byteLength(JSON.stringify(problem)) + 1;
      if (size <= room) kept.push(problem);
      room -= size;
    },
  };
}
