import type { Readable, Writable } from 'node:stream';
import type { StartedChild } from './launch.ts';

/** The descriptor at which a program waits before its first instruction. */
export const GATE = 3;

/**
 * A shell's program text that runs the rest of its arguments once it was admitted: it writes one byte to descriptor 3
 * and waits there for a line. An empty one closes the descriptor; any other leaves it open for the program's report.
 * Descriptors that this process inherited are closed as far as every shell can name them.
 */
export const GATE_SCRIPT = [
  'exec 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; printf . >&3; IFS= read -r fucina_answer <&3 || exit 125',
  'if [ -n "$fucina_answer" ]; then unset fucina_answer; exec "$@"; fi; unset fucina_answer; exec "$@" 3>&-',
].join('; ');

export interface GateOptions {
  /** Called once the program waits at its gate, with the process id of what was started. */
  admit?(pid: number): boolean;
  takesReport?: boolean;
}

/**
 * What happened at a program's gate. Refused, because `admit` answers false or throws, it gets no answer and ends
 * without running anything.
 */
export async function passGate(
  child: StartedChild,
  { admit, takesReport = false }: GateOptions,
): Promise<'passed' | 'refused' | 'ended'> {
  const gate = child.stdio[GATE] as (Readable & Writable) | null | undefined;
  if (!gate || child.pid === undefined) return 'ended';
  gate.on('error', () => undefined); // the program ended: reported below
  const isWaiting = await firstByte(gate);
  const isAdmitted = isWaiting && isAdmittedBy(admit, child.pid);
  if (isAdmitted) gate.write(takesReport ? 'report\n' : '\n');
  if (!isAdmitted || !takesReport) gate.end(() => gate.destroy());
  if (isAdmitted) return 'passed';
  return isWaiting ? 'refused' : 'ended';
}

function isAdmittedBy(admit: GateOptions['admit'], pid: number): boolean {
  try {
    return admit?.(pid) ?? false;
  } catch {
    return false; // nothing to look at: the program has ended
  }
}

/** Reads exactly one byte, so that what follows belongs to the program's report. */
function firstByte(gate: Readable): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isThere: boolean): void => {
      gate.off('readable', read);
      for (const event of ['end', 'close', 'error']) gate.off(event, end);
      resolve(isThere);
    };
    const read = (): void => {
      if (gate.read(1) !== null) settle(true);
    };
    const end = (): void => settle(false);
    gate.on('readable', read);
    for (const event of ['end', 'close', 'error']) gate.on(event, end);
    if (gate.destroyed) end();
  });
}
