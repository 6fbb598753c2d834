import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { entryAt, isWithin } from '@fucina/shared';
import type { Mount } from './mounts.ts';

/**
 * Names of the sockets of this computer, as the kernel lists them: absolute, or as they were bound. Read at once: each
 * command waits for it, and through the pool of threads it takes ten times as long.
 */
function boundNames(): string[] {
  const lines = listed().split('\n').slice(1);
  // Seven columns before the name. An abstract name begins with @, and has no file.
  return lines.flatMap((line) => /^(?:\S+\s+){7}([^@].*)$/.exec(line)?.[1] ?? []);
}

function listed(): string {
  try {
    return readFileSync('/proc/net/unix', 'utf8');
  } catch {
    return ''; // a system without such a list
  }
}

export function listeningSockets(): string[] {
  return boundNames().filter(isAbsolute);
}

/**
 * Covers the sockets in a folder that programs outside the session's network have bound, by their full name or by one
 * relative to the folder: a file system's permissions do not keep a command from connecting. Those of the session's own
 * commands are in its network, and stay.
 */
export function coveredSockets(folder: string): Mount[] {
  const paths = new Set(boundNames().map((name) => resolve(folder, name)));
  return [...paths]
    .filter((path) => isWithin(folder, path) && entryAt(path)?.isSocket())
    .map((target): Mount => ({ kind: 'read-only', source: '/dev/null', target }));
}
