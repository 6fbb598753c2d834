import type { StartedChild } from './launch.ts';

/** Writes its input and closes it, unless it stays open; `fed` tells when the system has taken it all. */
export function feed(
  child: StartedChild,
  { input, keepsInputOpen }: { input?: string | Uint8Array | undefined; keepsInputOpen?: boolean | undefined },
  fed: { isTaken: boolean },
): void {
  if (keepsInputOpen) return;
  if (input !== undefined) child.stdin?.write(input, (error) => (fed.isTaken = !error));
  child.stdin?.end();
}
