import type { Readable } from 'node:stream';
import type { StartedChild } from './launch.ts';

/** The descriptor at which a program waits before its first instruction. */
export const GATE = 3;

/**
 * A shell's program text that runs the rest of its arguments once it was admitted: it writes one byte to descriptor 3
 * and waits at its standard input for a line, since other streams of a launched program may not wait. The letters after
 * the colon say what the program keeps: `i` its input, else it is empty, and `r` descriptor 3, for its report.
 * Descriptors that this process inherited are closed as far as every shell can name them.
 */
export const GATE_SCRIPT = [
  'exec 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-; printf . >&3; IFS= read -r fucina_answer || exit 125',
  'case $fucina_answer in admitted:*) ;; *) exit 125;; esac',
  'case $fucina_answer in *:*i*) ;; *) exec </dev/null;; esac',
  'case $fucina_answer in *:*r*) ;; *) exec 3>&-;; esac; unset fucina_answer; exec "$@"',
].join('; ');

export interface GateOptions {
  /** Called once the program waits at its gate, with the process id of what was started. */
  admit?(pid: number): boolean;
  takesReport?: boolean;
  input?: string | Uint8Array;
  keepsInputOpen?: boolean;
}

/**
 * What happened at a program's gate. Refused, because `admit` answers false or throws, it gets no answer and ends
 * without running anything.
 */
export async function passGate(
  child: StartedChild,
  { admit, takesReport = false, input, keepsInputOpen = false }: GateOptions,
): Promise<'passed' | 'refused' | 'ended'> {
  const gate = child.stdio[GATE] as Readable | null | undefined;
  if (!gate || child.pid === undefined) return 'ended';
  gate.on('error', () => undefined); // the program ended: reported below
  const isWaiting = await firstByte(gate);
  const isAdmitted = isWaiting && isAdmittedBy(admit, child.pid);
  const hasInput = input !== undefined || keepsInputOpen;
  if (isAdmitted) child.stdin?.write(`admitted:${hasInput ? 'i' : ''}${takesReport ? 'r' : ''}\n`);
  if (!isAdmitted || !hasInput) child.stdin?.end();
  if (!isAdmitted || !takesReport) gate.destroy();
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
