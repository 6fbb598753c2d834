import { type Ambient, textStart } from '@fucina/shared';

export interface LogLine {
  /** Epoch ms. */
  at: number;
  /** `output`: what a program wrote on its standard error; `message`: a log message of the protocol. */
  kind: 'event' | 'output' | 'message' | 'error';
  text: string;
}

/** The newest lines of each server, in memory. */
export interface ServerLogs {
  of(key: string): ServerLog;
  read(key: string): readonly LogLine[];
  /** From now on these values are masked. Values under 4 characters are ignored. */
  mask(key: string, values: readonly string[]): void;
}

export interface ServerLog {
  add(kind: LogLine['kind'], text: string): void;
}

const MAX_LINES = 500;
const MAX_TEXT = 2_000;
const MASK = '[secret]';

export function createServerLogs({ now }: Pick<Ambient, 'now'>): ServerLogs {
  const logs = new Map<string, { lines: LogLine[]; masked: Set<string> }>();
  const open = (key: string) => {
    const known = logs.get(key) ?? { lines: [], masked: new Set<string>() };
    logs.set(key, known);
    return known;
  };
  return {
    of: (key) => ({
      add(kind, text) {
        const { lines, masked } = open(key);
        let clean = text;
        for (const value of masked) clean = clean.replaceAll(value, MASK);
        for (const line of clean.split(/\r?\n/)) {
          if (line.trim()) lines.push({ at: now(), kind, text: textStart(line, MAX_TEXT) });
        }
        lines.splice(0, Math.max(0, lines.length - MAX_LINES));
      },
    }),
    read: (key) => logs.get(key)?.lines ?? [],
    mask(key, values) {
      for (const value of values) if (value.length >= 4) open(key).masked.add(value);
    },
  };
}
