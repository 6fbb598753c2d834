import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { HAS_PROC } from './disk-facts.ts';

/** Descriptors above this are not looked for: a list of all standard streams up to them is passed on. */
const MAX_DESCRIPTOR = 4096;
const CLOSE_ON_EXEC = 0o2_000_000;

/**
 * Descriptors of this process, other than its standard streams, that programs it starts would get: what a shell, or
 * whatever started this process, left open. Node marks the lowest ones itself.
 */
export function inheritedDescriptors(): number[] {
  if (!HAS_PROC) return [];
  const open = readdirSync('/proc/self/fd').map(Number);
  return open.filter((descriptor) => descriptor > 2 && descriptor <= MAX_DESCRIPTOR && isPassedOn(descriptor));
}

function isPassedOn(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false; // the one of the listing itself
  }
}

/** For a process of which nothing else needs them. */
export function closeInherited(): void {
  for (const descriptor of inheritedDescriptors()) closeSync(descriptor);
}

/**
 * Calls `start` with the given standard streams, and with an empty device in the place of each inherited descriptor, so
 * that the started program gets none of them.
 */
export function withoutInherited<Stream, Result>(
  streams: readonly Stream[],
  start: (streams: (Stream | 'ignore' | number)[]) => Result,
): Result {
  const inherited = inheritedDescriptors().filter((descriptor) => descriptor >= streams.length);
  if (inherited.length === 0) return start([...streams]);
  const all: (Stream | 'ignore' | number)[] = [...streams];
  const empty = openSync('/dev/null', 'r');
  try {
    for (const descriptor of inherited) {
      while (all.length < descriptor) all.push('ignore');
      all[descriptor] = empty;
    }
    return start(all);
  } finally {
    closeSync(empty);
  }
}
