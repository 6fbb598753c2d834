import { textStart } from './text-cut.ts';
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogFields = Record<string, unknown>;

/** Structured events: `log.info('session.turn-end', { sessionId, outcome })`. One JSON line each. */
export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /**
   * From now on this value is masked in every line, in plain, URL-encoded and base64 form. Values under 8 characters
   * are ignored.
   */
  redact(value: string): void;
}

export interface LogOptions {
  level: LogLevel;
  now(): number;
  write(line: string): void;
}

const MAX_LINE = 16_384;
const MASK = '[redacted]';

export function createLog({ level, now, write }: LogOptions): Log {
  const threshold = LOG_LEVELS.indexOf(level);
  const secrets = new Set<string>();

  const clean = (line: string): string => {
    let cleaned = line;
    for (const secret of secrets) cleaned = cleaned.replaceAll(secret, MASK);
    return cleaned.length > MAX_LINE ? `${textStart(cleaned, MAX_LINE - 20)}…"truncated"}` : cleaned;
  };
  const at =
    (name: Exclude<LogLevel, 'silent'>) =>
    (event: string, fields: LogFields = {}): void => {
      if (LOG_LEVELS.indexOf(name) < threshold) return;
      write(`${clean(JSON.stringify({ at: new Date(now()).toISOString(), level: name, event, ...fields }, plain))}\n`);
    };

  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    redact(value) {
      if (value.length < 8) return;
      // JSON.stringify escapes quotes and control characters, so the escaped form must be masked, too.
      secrets.add(value).add(JSON.stringify(value).slice(1, -1)).add(encodeURIComponent(value.toWellFormed()));
      secrets.add(Buffer.from(value).toString('base64').replace(/=+$/, ''));
    },
  };
}

/** Errors become data (name, message, code, stack, causes); other values are serialized as JSON. */
function plain(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return typeof value === 'bigint' ? String(value) : value;
  const { name, message, stack, cause } = value;
  return { name, message, code: (value as { code?: unknown }).code, stack, cause };
}
