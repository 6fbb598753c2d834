import type { Ambient } from '@fucina/shared';

/** Messages of a terminal other than its output. */
export type ControlEvent =
  | {
      evento: 'agganciato';
      ripreso: boolean;
      shell: 'git-bash' | 'cmd-fallback' | 'posix-shell' | null;
      comando: string;
    }
  | { evento: 'uscita'; codice: number | null };

export type ViewerEnd = 'exit' | 'closed' | 'slow' | 'shutdown';

/** A viewer of a terminal. */
export interface Viewer {
  /**
   * Output, in order, as a frame: see `frameOf`. Must not be modified. `taken` is called once when it has left this
   * process.
   */
  print(frame: Uint8Array, taken: () => void): void;
  tell(event: ControlEvent): void;
  /** While true, the client should hold back input. */
  hold(isHeld: boolean): void;
  /** The end of the output. */
  end(reason: ViewerEnd): void;
}

export interface Watcher {
  print(frame: Uint8Array): void;
  tell(event: ControlEvent): void;
  acknowledge(bytes: number): void;
  leave(): void;
}

/** The viewers of one terminal, and flow control for all of them together. */
export interface Flow {
  join(viewer: Viewer): Watcher;
  count(): number;
  print(frame: Uint8Array): void;
  tell(event: ControlEvent): void;
  holdInput(isHeld: boolean): void;
  end(reason: ViewerEnd): void;
}

/** A viewer this far behind pauses the shell, until everyone is below the lower mark. */
const HIGH_BYTES = 512 * 1024;
const LOW_BYTES = 128 * 1024;
/** How long one viewer may pause the shell for the others. A single viewer has no limit. */
const PATIENCE_MS = 5_000;

interface Member {
  viewer: Viewer;
  sent: number;
  /** Bytes still in this process. */
  unsent: number;
  /** Undefined for one that never acknowledged output. */
  shown: number | undefined;
  cancelPatience: (() => void) | undefined;
}

export function createFlow({ ambient, onHold }: { ambient: Ambient; onHold(isHeld: boolean): void }): Flow {
  const members = new Set<Member>();
  let isHeld = false;

  function judge(member: Member): void {
    if (!members.has(member)) return;
    const late = lag(member);
    if (late > HIGH_BYTES) member.cancelPatience ??= ambient.timer(PATIENCE_MS, () => lose(member));
    if (late <= LOW_BYTES) calm(member);
    settle();
  }

  function settle(): void {
    const isBehind = [...members].some((member) => member.cancelPatience !== undefined);
    if (isBehind === isHeld) return;
    isHeld = isBehind;
    onHold(isHeld);
  }

  /** The others have waited long enough. */
  function lose(member: Member): void {
    if (members.size === 1) {
      member.cancelPatience = ambient.timer(PATIENCE_MS, () => lose(member));
      return;
    }
    drop(member);
    member.viewer.end('slow');
  }

  function drop(member: Member): void {
    calm(member);
    members.delete(member);
    settle();
  }

  function send(member: Member, frame: Uint8Array): void {
    const count = frame.length - 1;
    member.sent += count;
    member.unsent += count;
    member.viewer.print(frame, () => {
      member.unsent -= count;
      judge(member);
    });
    judge(member);
  }

  return {
    join(viewer) {
      const member: Member = { viewer, sent: 0, unsent: 0, shown: undefined, cancelPatience: undefined };
      members.add(member);
      return {
        print: (frame) => send(member, frame),
        tell: (event) => viewer.tell(event),
        acknowledge(bytes) {
          member.shown = Math.min(member.sent, (member.shown ?? 0) + bytes);
          judge(member);
        },
        leave: () => drop(member),
      };
    },
    count: () => members.size,
    print(frame) {
      for (const member of members) send(member, frame);
    },
    tell(event) {
      for (const { viewer } of members) viewer.tell(event);
    },
    holdInput(held) {
      for (const { viewer } of members) viewer.hold(held);
    },
    end(reason) {
      const all = [...members];
      members.clear();
      for (const member of all) {
        calm(member);
        member.viewer.end(reason);
      }
      settle();
    },
  };
}

/** The byte 0, which marks output, and the bytes: created once for all viewers, because a flood has many of them. */
export function frameOf(pieces: readonly Uint8Array[]): Uint8Array {
  const frame = Buffer.allocUnsafe(pieces.reduce((sum, piece) => sum + piece.length, 1));
  let at = 1;
  frame[0] = 0;
  for (const piece of pieces) {
    frame.set(piece, at);
    at += piece.length;
  }
  return frame;
}

function lag({ sent, unsent, shown }: Member): number {
  return Math.max(unsent, shown === undefined ? 0 : sent - shown);
}

function calm(member: Member): void {
  member.cancelPatience?.();
  member.cancelPatience = undefined;
}
