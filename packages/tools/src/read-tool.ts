import {
  listInside,
  openFileInside,
  PathError,
  readFileInside,
  type Tool,
  type ToolContext,
  type ToolResult,
} from '@fucina/shared';
import * as z from 'zod';
import { plural, sizeText } from './cut.ts';
import type { ReadWindow } from './documents/document-reading.ts';
import { inEditor } from './file-change.ts';
import { MAX_DOCUMENT_BYTES, MAX_FILE_BYTES, RESULT_BYTES } from './limits.ts';
import { windowText } from './line-window.ts';
import { type LocatedPath, locate, shownPath } from './located-path.ts';
import type { ReadNeeds, ToolsNeeds } from './needs.ts';
import { roomIn } from './result-room.ts';
import { pathFailureWithNames } from './suggested-paths.ts';
import { binaryKind, decodeText, sha256Of, type TextFile } from './text-file.ts';

const input = z.strictObject({
  percorso: z.string().min(1).max(4096),
  da: z.int().min(1).optional().describe('first line, from 1'),
  righe: z.int().min(1).max(5000).optional().describe('how many lines'),
  pagina: z.int().min(1).optional().describe('one page of a PDF, sheet or slide'),
});
type Input = z.infer<typeof input>;

const NOTE_ROOM = 160;
const START_BYTES = 1024;
const FOLDER_BYTES = 16_000;

export function createReadTool(needs: ReadNeeds & ToolsNeeds): Tool<Input> {
  return {
    name: 'leggi',
    description:
      'Read a text file with line numbers, look at a picture, read the text of a PDF or Office document, or list a folder. Up ' +
      'to 2,000 lines or 50 kB at a time.',
    category: 'base',
    effect: 'read',
    gate: null,
    input,
    action: ({ percorso, da, righe, pagina }, { folder }) => ({
      tipo: 'leggi',
      percorso: shownPath(percorso, folder),
      ...(da === undefined ? {} : { da }),
      ...(righe === undefined ? {} : { righe }),
      ...(pagina === undefined ? {} : { pagina }),
    }),
    async run(wanted, context) {
      try {
        return await read(wanted, context, needs);
      } catch (error) {
        return pathFailureWithNames(error, wanted.percorso, { needs, context });
      }
    },
  };
}

async function read(wanted: Input, context: ToolContext, needs: ReadNeeds): Promise<ToolResult> {
  const place = locate(wanted.percorso, context);
  if (place.path === '') return { content: await folderText(place, context) };
  const file = await readFileInside(place.root, place.path, MAX_FILE_BYTES).catch((error: unknown) => {
    if (error instanceof PathError && error.problem === 'not-a-file') return undefined;
    if (error instanceof PathError && error.problem === 'too-large') return 'large';
    throw error;
  });
  if (file === 'large') return largeDocument(place, { ...wanted, maxBytes: roomIn(context, RESULT_BYTES) }, context);
  if (!file) return { content: await folderText(place, context) };
  const { label } = place;
  // A PDF may contain only ASCII.
  const isPdf = file.bytes.subarray(0, 5).toString('latin1') === '%PDF-';
  const onDisk = { bytes: file.bytes, decoded: isPdf ? undefined : await decodeText(file.bytes) };
  const { bytes, decoded } = await inEditor(place, onDisk, context.editor);
  const sha256 = sha256Of(bytes);
  context.seen.set(label, sha256);
  if (decoded) {
    needs.texts?.set(sha256, decoded.text);
    return { content: fileText(decoded, wanted, roomIn(context, RESULT_BYTES)) };
  }
  const { readDocument, readImage } = await import('./documents/document-reading.ts');
  const document = { label, start: bytes.subarray(0, START_BYTES), source: bytes, sizeBytes: bytes.length };
  const shown =
    (await readImage(label, bytes, needs)) ??
    (await readDocument(document, { ...wanted, maxBytes: roomIn(context, RESULT_BYTES) }, context.signal));
  return shown ?? { content: `${label} is not text: ${binaryKind(bytes)}, ${sizeText(bytes.length)}.` };
}

/** Only a document may be larger than other files: its text is in another process. */
async function largeDocument(
  { root, path, label }: LocatedPath,
  wanted: ReadWindow,
  { signal }: ToolContext,
): Promise<ToolResult> {
  const { handle, stats } = await openFileInside(root, path);
  await using _open = handle;
  const start = Buffer.alloc(START_BYTES);
  const { bytesRead } = await handle.read(start, 0, START_BYTES, 0);
  const { readDocument } = await import('./documents/document-reading.ts');
  const document = { label, start: start.subarray(0, bytesRead), source: handle, sizeBytes: stats.size };
  const shown = stats.size <= MAX_DOCUMENT_BYTES && (await readDocument(document, wanted, signal));
  if (!shown) throw new PathError('too-large', path);
  return shown;
}

async function folderText(place: LocatedPath, context: ToolContext): Promise<string> {
  const { entries, isCut } = await listInside(place.root, place.path, 1000).catch((error: unknown) => {
    // Neither a file nor a folder: a pipe, a socket, a device.
    if (error instanceof PathError && error.problem === 'not-a-folder') throw new PathError('not-a-file', place.label);
    throw error;
  });
  const names = entries
    .map(({ name, kind, isFolder }) => `${name}${isFolder ? '/' : ''}${kind === 'link' ? ' (link)' : ''}`)
    .sort((a, b) => Number(b.includes('/')) - Number(a.includes('/')) || (a < b ? -1 : 1));
  let room = roomIn(context, FOLDER_BYTES) - NOTE_ROOM;
  const shown = names.filter((name) => (room -= Buffer.byteLength(name) + 1) > 0);
  const rest = names.length - shown.length;
  const count = `${isCut ? 'more than ' : ''}${plural(names.length, 'entry', 'entries')}`;
  return [`Folder, ${count}:`, ...shown, ...(rest > 0 ? [`[… ${rest} more …]`] : [])].join('\n');
}

function fileText(file: TextFile, { da, righe }: Input, maxBytes: number): string {
  if (file.text === '') return '(empty file)';
  const notes = [
    ...(file.text.includes('\r\n') ? ['CRLF line ends'] : []),
    ...(file.encoding === 'utf-8' ? [] : [file.encoding]),
  ];
  return windowText(file.text, { da, righe, notes, maxBytes });
}
