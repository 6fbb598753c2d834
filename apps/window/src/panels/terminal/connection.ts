import { later } from '../../ambient.ts';
import { terminalSocket } from '../../wire/terminals.ts';

/** The connection between the screen and the shell. */
export type ConnectionState =
  | { state: 'connecting' | 'open' | 'lost' | 'closed' | 'unavailable' }
  /** null: no shell could be started. */
  | { state: 'exited'; code: number | null };

export interface Screen {
  /** `done` is called when the bytes are on the screen. */
  write(bytes: Uint8Array, done: () => void): void;
  /** Clears the earlier output. */
  clear(): void;
  size(): { cols: number; rows: number };
}

export interface Connection {
  type(bytes: Uint8Array): void;
  resize(): void;
  /** Restarts after an end, or retries at once. */
  connect(): void;
  dispose(): void;
}

export interface ConnectionNeeds {
  id: string;
  screen: Screen;
  onLink(link: ConnectionState): void;
  /** It is a different shell than before. */
  onRestart(): void;
}

const RAW = 0;
const CONTROL = 1;
/** Bytes shown before the next acknowledgment. */
const ACK_BYTES = 32 * 1024;
const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 4_000;
const MOST_EARLY = 1_000;
const SLOW = 4008;
const UNAVAILABLE = 1011;

/** Connects a screen with a shell, and reconnects after restarts of the server. */
export function createConnection({ id, screen, onLink, onRestart }: ConnectionNeeds): Connection {
  let socket: WebSocket | undefined;
  let isOver = false;
  let wasJoined = false;
  let exit: { code: number | null } | undefined;
  let pause = FIRST_PAUSE_MS;
  let cancel = (): void => undefined;
  /** While earlier output is replayed, its queries are not answered again. */
  let isReplayed = true;
  /** Keys typed before the first connection. */
  let early: Uint8Array[] = [];

  function connect(): void {
    cancel();
    exit = undefined;
    onLink({ state: 'connecting' });
    const now = terminalSocket(id);
    socket = now;
    const shown = createTally((bytes) => control({ tipo: 'mostrati', byte: bytes }));
    let awaitsReplay = false;
    now.onopen = () => control({ tipo: 'mostrati', byte: 0 });
    now.onmessage = ({ data }: MessageEvent<ArrayBuffer | string>) => {
      if (typeof data === 'string' || socket !== now) return;
      const frame = new Uint8Array(data);
      const content = frame.subarray(1);
      if (frame[0] === CONTROL) {
        awaitsReplay = received(content);
        return;
      }
      if (frame[0] !== RAW) return;
      const isReplay = awaitsReplay;
      awaitsReplay = false;
      screen.write(content, () => {
        if (isReplay) isReplayed = true;
        shown.add(content.length);
      });
    };
    now.onclose = ({ code }) => {
      if (socket === now) ended(code);
    };
  }

  /** Whether earlier output follows. */
  function received(content: Uint8Array): boolean {
    const record = JSON.parse(new TextDecoder().decode(content)) as Record<string, unknown>;
    if (record.evento === 'uscita') exit = { code: typeof record.codice === 'number' ? record.codice : null };
    if (record.evento !== 'agganciato') return false;
    const isResumed = record.ripreso === true;
    screen.clear();
    if (wasJoined && !isResumed) onRestart();
    wasJoined = true;
    isReplayed = !isResumed;
    pause = FIRST_PAUSE_MS;
    resize();
    for (const bytes of early) send(RAW, bytes);
    early = [];
    onLink({ state: 'open' });
    return isResumed;
  }

  function ended(code: number): void {
    socket = undefined;
    early = [];
    if (isOver) return;
    if (exit) {
      wasJoined = false;
      return onLink({ state: 'exited', code: exit.code });
    }
    if (code === 1000) return onLink({ state: 'closed' });
    if (code === UNAVAILABLE) return onLink({ state: 'unavailable' });
    if (code !== SLOW) onLink({ state: 'lost' });
    cancel = later(pause, connect);
    pause = Math.min(pause * 2, LAST_PAUSE_MS);
  }

  function send(kind: number, content: Uint8Array): void {
    if (socket?.readyState !== WebSocket.OPEN) return;
    const frame = new Uint8Array(content.length + 1);
    frame[0] = kind;
    frame.set(content, 1);
    socket.send(frame);
  }

  const control = (record: object): void => send(CONTROL, new TextEncoder().encode(JSON.stringify(record)));
  const resize = (): void => control({ tipo: 'resize', ...screen.size() });

  return {
    type(bytes) {
      if (!wasJoined && socket && early.length < MOST_EARLY) early.push(bytes);
      else if (isReplayed) send(RAW, bytes);
    },
    resize,
    connect,
    dispose() {
      isOver = true;
      cancel();
      socket?.close();
    },
  };
}

/** Counts shown bytes and acknowledges them in batches. */
function createTally(tell: (bytes: number) => void): { add(bytes: number): void } {
  let unacknowledged = 0;
  return {
    add(bytes) {
      unacknowledged += bytes;
      if (unacknowledged < ACK_BYTES) return;
      tell(unacknowledged);
      unacknowledged = 0;
    },
  };
}
