import { NEW_PROBLEMS } from '@fucina/conversation';
import { textStart } from '@fucina/shared';

/** A problem in a file, as a language server reports it. Lines and columns count from 1. */
export interface Diagnostic {
  line: number;
  column: number;
  endLine: number;
  endColumn: number;
  severity: Severity;
  code: string | null;
  /** One line. */
  message: string;
}

export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** Diagnostics of one file. */
export interface FileDiagnostics {
  /** Relative to the project, `/`-separated. */
  path: string;
  diagnostics: readonly Diagnostic[];
}

/** How the protocol has it. */
interface Received {
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  severity?: number;
  code?: number | string;
  source?: string;
  message: string | { value: string };
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'information', 'hint'];
/** A file with more is cut: nobody reads them all. */
const MAX_PER_FILE = 500;
const MAX_MESSAGE = 500;

export function readDiagnostics(received: readonly Received[]): Diagnostic[] {
  return received.slice(0, MAX_PER_FILE).map(({ range, severity, code, source, message }) => ({
    line: range.start.line + 1,
    column: range.start.character + 1,
    endLine: range.end.line + 1,
    endColumn: range.end.character + 1,
    severity: SEVERITIES[(severity ?? 1) - 1] ?? 'error',
    code: codeOf(code, source),
    message: oneLine(typeof message === 'string' ? message : message.value),
  }));
}

/** `TS2322`, as the compiler prints it; others as they are. */
function codeOf(code: number | string | undefined, source: string | undefined): string | null {
  if (code === undefined || code === '') return null;
  const isTypeScript = source === 'ts' || source === 'typescript';
  return isTypeScript && /^\d+$/.test(String(code)) ? `TS${code}` : textStart(oneLine(String(code)), 80);
}

function oneLine(text: string): string {
  const line = text
    .replaceAll(/\s*\n\s*/g, '; ')
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim();
  return line.length > MAX_MESSAGE ? `${textStart(line, MAX_MESSAGE)}…` : line;
}

const keyOf = ({ severity, code, message }: Diagnostic): string => `${severity}\0${code}\0${message}`;

/**
 * Errors and warnings of `now` that `before` does not have. Positions do not count, since an edit moves the lines below
 * it; of several equal ones, as many are new as there are more.
 */
export function introduced(now: readonly Diagnostic[], before: readonly Diagnostic[]): Diagnostic[] {
  const known = new Map<string, number>();
  for (const one of before) known.set(keyOf(one), (known.get(keyOf(one)) ?? 0) + 1);
  return now.filter((one) => {
    if (one.severity !== 'error' && one.severity !== 'warning') return false;
    const left = known.get(keyOf(one)) ?? 0;
    if (left > 0) known.set(keyOf(one), left - 1);
    return left === 0;
  });
}

const MAX_SHOWN = 10;
const MAX_SHOWN_MESSAGE = 200;

/** For the model; empty when there are none. At most ten lines of at most 300 characters. */
export function diagnosticsText(files: readonly FileDiagnostics[]): string {
  const all = files.flatMap(({ path, diagnostics }) => diagnostics.map((one) => ({ path, ...one })));
  if (all.length === 0) return '';
  const sorted = [
    ...all.filter(({ severity }) => severity === 'error'),
    ...all.filter((one) => one.severity !== 'error'),
  ];
  const lines = sorted.slice(0, MAX_SHOWN).map(({ path, line, column, severity, code, message }) => {
    const short = message.length > MAX_SHOWN_MESSAGE ? `${textStart(message, MAX_SHOWN_MESSAGE)}…` : message;
    return `${path}:${line}:${column} ${severity}${code === null ? '' : ` ${code}`}: ${short}`;
  });
  const more = sorted.length - lines.length;
  return [NEW_PROBLEMS, ...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
}
