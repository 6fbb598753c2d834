import { listInside, PathError, readFileInside, type Tool, type ToolContext } from '@fucina/shared';
import * as z from 'zod';
import { plural, sizeText } from './cut.ts';
import { MAX_FILE_BYTES, RESULT_CHARS } from './limits.ts';
import { windowText } from './line-window.ts';
import { locate, type Place, pathFailure, shownPath } from './place.ts';
import { binaryKind, decodeText, sha256Of, type TextFile } from './text-file.ts';

const input = z.strictObject({
  percorso: z.string().min(1).max(4096),
  da: z.int().min(1).optional().describe('first line, from 1'),
  righe: z.int().min(1).max(5000).optional().describe('how many lines'),
});
type Input = z.infer<typeof input>;

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

function fileText(file: TextFile, { da, righe }: Input): string {
  if (file.text === '') return '(empty file)';
  const notes = [
    ...(file.text.includes('\r\n') ? ['CRLF line ends'] : []),
    ...(file.encoding === 'utf-8' ? [] : [file.encoding]),
  ];
  return windowText(file.text, { da, righe, notes });
}
