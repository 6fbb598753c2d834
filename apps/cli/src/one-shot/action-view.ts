import { GATED_TOOLS, type GatedTool } from '@fucina/shared';
import { cleanText } from '../clean-text.ts';
import { compareTexts } from '../screen/look/difference/compare.ts';
import { differenceText } from '../screen/look/difference/draw.ts';
import type { Terminal } from '../terminal.ts';

/** What a person reads before giving leave. */
export interface ActionView {
  title: string;
  lines: string[];
  /** How many lines at the end are beyond a first look. */
  isLong: boolean;
}

export type AskedAction = Readonly<Record<string, unknown>>;

/**
 * The tool that can be allowed for the whole session. A file that can run code later is asked each time: "for this
 * session" would promise too much.
 */
export function sessionTool({ tipo, motivo }: AskedAction): GatedTool | undefined {
  return motivo === 'file-di-controllo' ? undefined : GATED_TOOLS.find((tool) => tool === tipo);
}

/** `before` is the file's present text; null when there is none, undefined when it cannot be shown. */
export function viewAction(
  action: AskedAction,
  { terminal, folder, before }: { terminal: Terminal; folder: string; before: string | null | undefined },
): ActionView {
  const { say, errorStyle: style } = terminal;
  const title = style.bold(say('ask.title', { tool: String(action.tipo) }));
  const lines = [
    ...commandLines(action, { terminal, folder }),
    ...fileLines(action, { terminal, before }),
    ...otherLines(action),
    ...(action.motivo === 'file-di-controllo' ? [style.danger(say('ask.control-file'))] : []),
  ];
  return { title, lines, isLong: lines.length > FIRST_LOOK };
}

export const FIRST_LOOK = 40;

function commandLines(action: AskedAction, { terminal, folder }: { terminal: Terminal; folder: string }): string[] {
  if (typeof action.comando !== 'string') return [];
  const { errorStyle: style, say } = terminal;
  const command = cleanText(action.comando).split('\n');
  return [...command.map((line) => style.accent(line)), style.muted(say('ask.in', { folder: cleanText(folder) }))];
}

function fileLines(
  action: AskedAction,
  { terminal, before }: { terminal: Terminal; before: string | null | undefined },
): string[] {
  const { percorso, contenuto, vecchio, nuovo, tutte } = action;
  if (typeof percorso !== 'string') return [];
  const { errorStyle: style, say } = terminal;
  const notes = [
    ...(typeof contenuto === 'string' && before === null ? [say('ask.new-file')] : []),
    ...(tutte === true ? [say('ask.every')] : []),
  ];
  const head = `${style.accent(cleanText(percorso))}${notes.length ? style.muted(`  (${notes.join(', ')})`) : ''}`;
  const change =
    typeof vecchio === 'string' && typeof nuovo === 'string'
      ? changeText(vecchio, nuovo)
      : typeof contenuto === 'string'
        ? changeText(before ?? '', contenuto)
        : [];
  return [head, ...change.map((line) => paintDiff(line, terminal))];
}

const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set([
  'tipo',
  'comando',
  'percorso',
  'contenuto',
  'vecchio',
  'nuovo',
  'tutte',
  'motivo',
]);

function otherLines(action: AskedAction): string[] {
  return Object.entries(action)
    .filter(([name, value]) => !SHOWN_ELSEWHERE.has(name) && value !== undefined && value !== null)
    .flatMap(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `${name}: ${cleanText(text)}`.split('\n');
    });
}

const CONTEXT = 2;

function changeText(before: string, after: string): string[] {
  return differenceText(compareTexts(before, after, CONTEXT));
}

function paintDiff(line: string, { errorStyle: style }: Terminal): string {
  const shown = cleanText(line);
  if (line.startsWith('-')) return style.danger(shown);
  return line.startsWith('+') ? style.success(shown) : style.muted(shown);
}
