import { realpathSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { isWithin } from '@fucina/shared';

export type Severity = 'error' | 'warning' | 'note';

/** A place in a file that the answer names, with what it says about it. */
export interface Finding {
  /** Relative, with slashes. */
  path: string;
  line: number;
  column: number | undefined;
  severity: Severity;
  message: string;
}

/** CI systems show only some. */
const MOST = 50;
const LONGEST_LINE = 2_000;
const PLACE = /^(?:[-*+]|\d{1,3}[.)])?\s*[*`]*([\w@.][\w@./+-]*):(\d{1,7})(?::(\d{1,6}))?[*`]*/;
const SEVERITY = /^(error|warning|note|info|errore|avviso|nota)\b[*`]*[\s:–—-]*/i;
const SEVERITIES: Readonly<Record<string, Severity>> = {
  error: 'error',
  errore: 'error',
  note: 'note',
  info: 'note',
  nota: 'note',
};

/**
 * Lines of an answer in the form of compilers, `path:line: message`, whose file is in the folder. A word before the
 * message sets the severity: `error`, `warning` (the default) or `note`.
 */
export function findingsIn(text: string, folder: string): Finding[] {
  const found: Finding[] = [];
  for (const line of text.split('\n')) {
    if (found.length === MOST) break;
    const finding = line.length > LONGEST_LINE ? undefined : findingOf(line.trim(), folder);
    if (finding) found.push(finding);
  }
  return found;
}

function findingOf(line: string, folder: string): Finding | undefined {
  const [whole, name = '', row = '', column] = PLACE.exec(line) ?? [];
  if (whole === undefined || !isFileOf(folder, name)) return undefined;
  const rest = line.slice(whole.length).replace(/^[\s:–—-]+/, '');
  const [words = '', word = ''] = SEVERITY.exec(rest) ?? [];
  const message = rest.slice(words.length).trim();
  if (message === '') return undefined;
  return {
    path: normalize(name).replaceAll('\\', '/'),
    line: Number(row),
    column: column === undefined ? undefined : Number(column),
    severity: SEVERITIES[word.toLowerCase()] ?? 'warning',
    message,
  };
}

function isFileOf(folder: string, name: string): boolean {
  try {
    return isWithin(realpathSync(folder), realpathSync(join(folder, name)));
  } catch {
    return false; // no such file
  }
}
