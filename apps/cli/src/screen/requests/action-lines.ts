import { neverAsks, toolFacts } from '@fucina/conversation';
import { actionFacts, isControlFile } from '../../action-facts.ts';
import { type AskedAction, isHiddenRead, isNetwork, isOfFiles } from '../../asked-action.ts';
import { cleanLine } from '../../clean-text.ts';
import type { Say } from '../../words/index.ts';
import type { Line, Token } from '../line.ts';
import { compareTexts } from '../render/diff/compare.ts';
import { differenceLines } from '../render/diff/draw.ts';
import { textLines, wrapLine } from '../render/wrap.ts';
import { networkTitle } from './network-title.ts';

export interface ActionPlace {
  say: Say;
  folder: string;
  /** The file's current text: null when it does not exist, undefined when it cannot be shown. */
  before: string | null | undefined;
  /** By default lines are not wrapped. */
  width?: number;
}

const NAME_WIDTH = 60;
const PATH_WIDTH = 1_000;

/** The question of the card. */
export function actionTitle(action: AskedAction, { say, before }: ActionPlace): string {
  const { kind, content } = action;
  if (isNetwork(action)) return networkTitle(action, say);
  if (isHiddenRead(action)) return say('request.read');
  if (isOfFiles(action)) return say('tool.apply_patch.ask');
  const tool = String(kind);
  if (tool === 'scrivi' && typeof content === 'string')
    return say(before === null ? 'request.new-file' : 'request.replace-file');
  const { words } = toolFacts(tool);
  return words === 'other' || neverAsks(words)
    ? say('ask.title', { tool: cleanLine(tool, NAME_WIDTH) })
    : say(`tool.${words}.ask`);
}

/** Everything that the user needs to see before approving. */
export function actionLines(action: AskedAction, place: ActionPlace): Line[] {
  const { say, width = Number.POSITIVE_INFINITY } = place;
  const why: Line[] = isControlFile(action) ? [[{ text: say('ask.control-file'), token: 'danger' }]] : [];
  return [
    ...[...commandLines(action, place), ...fileHead(action, place)].flatMap((line) => wrapLine(line, width)),
    ...changeLines(action, place),
    ...patchLines(action).flatMap((line) => wrapLine(line, width)),
    ...[...actionFacts(action, { say }).flatMap((text) => textLines(text)), ...why].flatMap((line) =>
      wrapLine(line, width),
    ),
  ];
}

/** Rows of `actionLines` up to the end of the command; undefined for an action without one. */
export function commandEnd(action: AskedAction, place: ActionPlace): number | undefined {
  if (typeof action.command !== 'string') return undefined;
  const { width = Number.POSITIVE_INFINITY } = place;
  return textLines(action.command, { token: 'accent' }).flatMap((line) => wrapLine(line, width)).length;
}

/** Rows at the end of a command that always stay visible. */
const END_ROWS = 3;

/**
 * Rows that fit, with one that counts the others. The end of a command is among them, even behind many rows.
 * `hasEnd` is false where there is no room for it.
 */
export function fittingLines(
  lines: readonly Line[],
  { room, end, more }: { room: number; end: number | undefined; more(count: number): string },
): { lines: Line[]; hasEnd: boolean } {
  if (lines.length <= room) return { lines: [...lines], hasEnd: true };
  const rest = Math.max(0, room - 1);
  const isEndNear = end === undefined || end <= rest;
  const tail = isEndNear ? 0 : Math.min(END_ROWS, Math.ceil(rest / 2));
  const left: Line = [{ text: more(lines.length - rest), token: 'muted' }];
  const shown = [...lines.slice(0, rest - tail), left, ...(tail === 0 ? [] : lines.slice((end ?? 0) - tail, end))];
  return { lines: shown.slice(0, room), hasEnd: isEndNear || tail > 0 };
}

function commandLines({ command }: AskedAction, { say, folder }: ActionPlace): Line[] {
  if (typeof command !== 'string') return [];
  return [
    ...textLines(command, { token: 'accent' }),
    [{ text: say('ask.in', { folder: cleanLine(folder, PATH_WIDTH) }), token: 'muted' }],
  ];
}

function fileHead({ path: file, content, all }: AskedAction, { say, before }: ActionPlace): Line[] {
  if (typeof file !== 'string') return [];
  const notes = [
    ...(typeof content === 'string' && before === null ? [say('ask.new-file')] : []),
    ...(all === true ? [say('ask.every')] : []),
  ];
  const [path = []] = textLines(file.replaceAll('\n', '␊'), { token: 'accent' });
  return [notes.length ? [...path, { text: `  (${notes.join(', ')})`, token: 'muted' }] : path];
}

/** A patch as the model wrote it: each line says what it does. */
function patchLines({ patch }: AskedAction): Line[] {
  if (typeof patch !== 'string') return [];
  return patch.split('\n').flatMap((line) => textLines(line, { token: patchToken(line) }));
}

function patchToken(line: string): Token {
  if (line.startsWith('***')) return 'accent';
  if (line.startsWith('+')) return 'success';
  return line.startsWith('-') ? 'danger' : 'muted';
}

const CONTEXT = 2;

function changeLines({ path, content, oldText, newText }: AskedAction, { say, before, width }: ActionPlace): Line[] {
  if (typeof path !== 'string') return [];
  const isPart = typeof oldText === 'string' && typeof newText === 'string';
  const texts = isPart ? [oldText, newText] : typeof content === 'string' ? [before ?? '', content] : undefined;
  if (!texts) return [];
  const [old = '', next = ''] = texts;
  return differenceLines(compareTexts(old, next, CONTEXT), {
    width: width ?? Number.POSITIVE_INFINITY,
    say,
    isNumbered: width !== undefined && !isPart,
  });
}
