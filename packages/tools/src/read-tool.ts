import { listInside, PathError, readFileInside, type Tool, type ToolContext } from '@fucina/shared';
import * as z from 'zod';
import { plural, sizeText } from './cut.ts';
import { MAX_FILE_BYTES, RESULT_CHARS } from './limits.ts';
import { locate, type Place, pathFailure, shownPath } from './place.ts';
import { binaryKind, decodeText, sha256Of, type TextFile } from './text-file.ts';

const input = z.strictObject({
  percorso: z.string().min(1).max(4096),
  da: z.int().min(1).optional().describe('first line, from 1'),
  righe: z.int().min(1).max(5000).optional().describe('how many lines'),
});
type Input = z.infer<typeof input>;

const MAX_LINE_CHARS = 1000;
const NOTE_ROOM = 160;

export function createReadTool(): Tool<Input> {
  return {
    name: 'leggi',
    description:
      'Read a text file with line numbers, or list a folder. At most 4,000 characters come back: a longer file is cut in the ' +
      'middle and the next window is named (da, righe).',
    category: 'base',
    effect: 'read',
    gate: null,
    input,
    action: ({ percorso, da, righe }, { folder }) => ({
      tipo: 'leggi',
      percorso: shownPath(percorso, folder),
      ...(da === undefined ? {} : { da }),
      ...(righe === undefined ? {} : { righe }),
    }),
    async run(wanted, context) {
      try {
        return { content: await read(wanted, context) };
      } catch (error) {
        return pathFailure(error, wanted.percorso);
      }
    },
  };
}

async function read(wanted: Input, context: ToolContext): Promise<string> {
  const place = locate(wanted.percorso, context);
  if (place.path === '') return folderText(place);
  const file = await readFileInside(place.root, place.path, MAX_FILE_BYTES).catch((error: unknown) => {
    if (error instanceof PathError && error.problem === 'not-a-file') return undefined;
    throw error;
  });
  if (!file) return folderText(place);
  context.seen.set(place.label, sha256Of(file.bytes));
  const decoded = await decodeText(file.bytes);
  if (!decoded) return `${place.label} is not text: ${binaryKind(file.bytes)}, ${sizeText(file.bytes.length)}.`;
  return fileText(decoded, wanted);
}

async function folderText(place: Place): Promise<string> {
  const { entries, isCut } = await listInside(place.root, place.path, 1000).catch((error: unknown) => {
    // Neither file nor folder: a pipe, a socket, a device.
    if (error instanceof PathError && error.problem === 'not-a-folder') throw new PathError('not-a-file', place.label);
    throw error;
  });
  const names = entries
    .map(({ name, kind, isFolder }) => `${name}${isFolder ? '/' : ''}${kind === 'link' ? ' (link)' : ''}`)
    .sort((a, b) => Number(b.includes('/')) - Number(a.includes('/')) || (a < b ? -1 : 1));
  let room = RESULT_CHARS - NOTE_ROOM;
  const shown = names.filter((name) => (room -= name.length + 1) > 0);
  const rest = names.length - shown.length;
  const count = `${isCut ? 'more than ' : ''}${plural(names.length, 'entry', 'entries')}`;
  return [`Folder, ${count}:`, ...shown, ...(rest > 0 ? [`[… ${rest} more …]`] : [])].join('\n');
}

/** Where each line begins, and the end of the text: line `n` (from 1) is between entries `n - 1` and `n`. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0 && at + 1 < text.length; at = text.indexOf('\n', at + 1))
    starts.push(at + 1);
  starts.push(text.length);
  return starts;
}

function fileText(file: TextFile, { da, righe }: Input): string {
  if (file.text === '') return '(empty file)';
  const starts = lineStarts(file.text);
  const total = starts.length - 1;
  const line = (number: number): string => numbered(file.text.slice(starts[number - 1], starts[number]), number);
  const notes = [
    ...(file.text.includes('\r\n') ? ['CRLF line ends'] : []),
    ...(file.encoding === 'utf-8' ? [] : [file.encoding]),
  ];
  const about = notes.length > 0 ? [`[${notes.join(', ')}]`] : [];
  const room = RESULT_CHARS - NOTE_ROOM;

  if (da === undefined && righe === undefined) {
    const whole = forward(line, { from: 1, to: total, room });
    if (whole.next > total) return [...about, ...whole.lines].join('\n');
    const head = forward(line, { from: 1, to: total, room: Math.floor((room * 2) / 3) });
    const tail = backward(line, { from: total, downTo: head.next, room: Math.floor(room / 3) });
    const gap = `[… lines ${head.next}-${tail.next} of ${total} not shown; continue with da=${head.next} …]`;
    return [...about, ...head.lines, ...(tail.next < head.next ? [] : [gap]), ...tail.lines].join('\n');
  }
  const from = da ?? 1;
  if (from > total) return `The file has ${plural(total, 'line')}; da=${from} is past its end.`;
  const to = Math.min(total, from + (righe ?? total) - 1);
  const { lines, next } = forward(line, { from, to, room });
  const rest = next <= to ? `cut at 4,000 characters; continue with da=${next}` : `next: da=${next}`;
  return [...about, ...lines, ...(next <= total ? [`[lines ${from}-${next - 1} of ${total}; ${rest}]`] : [])].join(
    '\n',
  );
}

interface Window {
  lines: string[];
  /** The first line that did not fit. */
  next: number;
}

function forward(
  line: (number: number) => string,
  { from, to, room }: { from: number; to: number; room: number },
): Window {
  const lines: string[] = [];
  let left = room;
  let next = from;
  for (; next <= to; next++) {
    const text = line(next);
    left -= text.length + 1;
    if (left < 0 && lines.length > 0) break;
    lines.push(text);
  }
  return { lines, next };
}

function backward(
  line: (number: number) => string,
  { from, downTo, room }: { from: number; downTo: number; room: number },
): Window {
  const lines: string[] = [];
  let left = room;
  let next = from;
  for (; next >= downTo; next--) {
    const text = line(next);
    left -= text.length + 1;
    if (left < 0) break;
    lines.unshift(text);
  }
  return { lines, next };
}

function numbered(raw: string, number: number): string {
  const text = raw.replace(/\r?\n$/, '');
  const shown =
    text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)} [… line of ${text.length} characters]` : text;
  return `${String(number).padStart(5)}\t${visible(shown)}`;
}

/** Control characters as `\x1b`: nothing in a file acts on the screen that shows it. */
function visible(text: string): string {
  return text.replaceAll(/(?!\t)\p{Cc}/gu, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
