import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { systemCode } from '@fucina/shared';

/** `env_start` is field 50; the fields after the name in parentheses start with field 3. */
const ENV_START = 50 - 3;

/**
 * Overwrites the initial values of these variables in memory. The system exposes that initial environment to every
 * program of the same user (`/proc/<pid>/environ`), even after a variable is deleted. Linux only: elsewhere, and
 * without permission, nothing happens.
 */
export function wipeEnvironment(names: readonly string[]): void {
  if (process.platform !== 'linux') return;
  try {
    const first = readFileSync('/proc/self/environ');
    const stat = readFileSync('/proc/self/stat', 'latin1');
    const start = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[ENV_START]);
    const places = names.flatMap((name) => placesOf(first, `${name}=`));
    if (!places.length || !Number.isSafeInteger(start) || start <= 0) return;
    overwrite(places.map(({ at, length }) => ({ position: start + at, expected: first.subarray(at, at + length) })));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}

/** Positions of a variable's values; a repeated variable occurs twice. */
function placesOf(environment: Buffer, prefix: string): { at: number; length: number }[] {
  const places: { at: number; length: number }[] = [];
  for (let begin = 0; begin < environment.length; ) {
    const zero = environment.indexOf(0, begin);
    const end = zero < 0 ? environment.length : zero;
    const at = begin + prefix.length;
    if (at < end && environment.toString('latin1', begin, at) === prefix) places.push({ at, length: end - at });
    begin = end + 1;
  }
  return places;
}

function overwrite(places: readonly { position: number; expected: Buffer }[]): void {
  const memory = openSync('/proc/self/mem', 'r+');
  try {
    for (const { position, expected } of places) {
      const found = Buffer.alloc(expected.length);
      readSync(memory, found, 0, found.length, position);
      // Overwrites only what was just read there as the value: a wrong position must not change anything.
      if (found.equals(expected)) writeSync(memory, Buffer.alloc(expected.length, 'x'), 0, expected.length, position);
    }
  } finally {
    closeSync(memory);
  }
}
