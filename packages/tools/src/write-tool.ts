import { join } from 'node:path';
import {
  isPortableName,
  statInside,
  type Tool,
  type ToolCheckContext,
  type ToolContext,
  type ToolResult,
} from '@fucina/shared';
import * as z from 'zod';
import { plural, sizeText } from './cut.ts';
import { insideFence, isCode } from './edit/code-fence.ts';
import { hasEscapedBreaks, unescaped } from './edit/readings.ts';
import {
  type ExistingFile,
  hiddenControlFile,
  readExisting,
  recordChange,
  staleness,
  writeChange,
} from './file-change.ts';
import { MAX_FILE_BYTES } from './limits.ts';
import { windowText } from './line-window.ts';
import { failure, type LocatedPath, locate, pathFailure, shownPath } from './located-path.ts';
import type { ReadNeeds, SearchNeeds } from './needs.ts';
import { binaryKind, encodeText, sha256Of, type TextFile } from './text-file.ts';

const input = z.strictObject({ percorso: z.string().min(1).max(4096), contenuto: z.string() });
type Input = z.infer<typeof input>;

/** Of the beginning of a file that was never read, in the refusal to replace it. */
const BEGINNING_CHARS = 2000;

type WriteNeeds = Pick<SearchNeeds, 'guardsReading'> & Pick<ReadNeeds, 'texts'>;

export function createWriteTool(needs: WriteNeeds): Tool<Input> {
  return {
    name: 'scrivi',
    description:
      'Write a whole text file (at most 32 MiB), creating it and its folders (UTF-8) or replacing what is there in its ' +
      'encoding and line ends. A file that you have not read is shown instead: call again to replace it. ' +
      'To change part of a file use file_edit.',
    category: 'base',
    effect: 'write',
    gate: 'scrivi',
    input,
    action: ({ percorso, contenuto }, { folder }) => ({
      tipo: 'scrivi',
      percorso: shownPath(percorso, folder),
      contenuto: meantContent(contenuto, percorso).text,
    }),
    async check(wanted, context) {
      try {
        const prepared = await prepare(wanted, context, needs);
        return 'content' in prepared ? prepared.content : undefined;
      } catch (error) {
        return pathFailure(error, wanted.percorso).content;
      }
    },
    async run(wanted, context) {
      try {
        const prepared = await prepare(wanted, context, needs);
        return 'content' in prepared ? prepared : await write(prepared, context, needs);
      } catch (error) {
        return pathFailure(error, wanted.percorso);
      }
    },
  };
}

interface PreparedWrite {
  place: LocatedPath;
  existing: ExistingFile | undefined;
  rewritten: Rewritten;
  /** What of the sent text was changed, or looks as if it was not meant. */
  note: string | undefined;
}

/** What will be written, or why it will not. */
async function prepare(
  { percorso, contenuto: sent }: Input,
  context: ToolCheckContext,
  needs: WriteNeeds,
): Promise<PreparedWrite | ToolResult> {
  const { text: contenuto, note } = meantContent(sent, percorso);
  const size = Buffer.byteLength(contenuto);
  if (size > MAX_FILE_BYTES) return failure(`The text is ${sizeText(size)}; the limit is 32 MiB.`);
  const place = locate(percorso, context);
  const existing = await readExisting(place, context);
  const refusal = staleness(place, existing, context) ?? (await hiddenControlFile(place));
  if (refusal) return refusal;
  const rewritten = await likeExisting(contenuto, existing?.decoded);
  const isUnread = existing && existing.bytes.length > 0 && context.seen.get(place.label) === undefined;
  if (!isUnread || existing.bytes.equals(rewritten.bytes)) return { place, existing, rewritten, note };
  const shown = await beginning(place, existing, { context, needs });
  context.seen.set(place.label, sha256Of(existing.bytes));
  return failure(`${place.label} exists and was not read in this session, so it was not replaced. ${shown}`);
}

/** Counts as having read the file. A file whose reading the user restricts is named only. */
async function beginning(
  { root, path }: LocatedPath,
  { bytes, decoded }: ExistingFile,
  { context, needs }: { context: ToolCheckContext; needs: WriteNeeds },
): Promise<string> {
  const again = 'Repeat the call to replace the whole file.';
  const isGuarded = await needs.guardsReading?.(context.folder);
  if (isGuarded?.(join(root, (await statInside(root, path)).realPath)))
    return `A permission rule restricts reading it. ${again}`;
  if (!decoded) return `It is not text: ${binaryKind(bytes)}, ${sizeText(bytes.length)}. ${again}`;
  const text = windowText(decoded.text, { da: 1, maxBytes: BEGINNING_CHARS });
  return `${again} To change a part, edit it. It begins:\n${text}`;
}

async function write(
  { place, existing, rewritten: { bytes, text, lost }, note }: PreparedWrite,
  context: ToolContext,
  { texts }: WriteNeeds,
): Promise<ToolResult> {
  texts?.set(sha256Of(bytes), text);
  if (existing?.bytes.equals(bytes)) {
    recordChange(context, place, { bytes, before: text, after: text });
    return { content: `${place.label} already has exactly this content; nothing was written.` };
  }
  await writeChange(place, bytes, context);
  const changes = recordChange(context, place, { bytes, before: existing?.decoded?.text ?? null, after: text });
  const content = summary(place, text, { existing, lost });
  return { content: note === undefined ? content : `${content} ${note}`, changes };
}

/** The content without what only a slip of the model explains: a fence around code, or escapes for its line breaks. */
function meantContent(sent: string, path: string): { text: string; note?: string } {
  const inside = insideFence(sent);
  if (!isCode(path)) {
    if (inside === undefined) return { text: sent };
    return { text: sent, note: 'The text is in a code fence, which was written too.' };
  }
  if (inside !== undefined) return { text: inside, note: 'The code fence around the text was left out.' };
  if (!hasEscapedBreaks(sent)) return { text: sent };
  return { text: unescaped(sent), note: 'Its \\n were written as line breaks.' };
}

interface Rewritten {
  bytes: Buffer;
  /** As it is stored, without byte order mark. */
  text: string;
  /** What the new file does not keep of the old one. */
  lost: readonly string[];
}

/** A rewrite keeps the byte order mark, the encoding and the line ends of the file that is there. */
async function likeExisting(content: string, old: TextFile | undefined): Promise<Rewritten> {
  if (!old) return { bytes: Buffer.from(content, 'utf8'), text: content, lost: [] };
  const plain = old.hasBom ? content.replace(/^\ufeff/, '') : content;
  const text = hasOnlyCrlf(old.text) && !plain.includes('\r') ? plain.replaceAll('\n', '\r\n') : plain;
  const kept = await encodeText(text, old);
  if (kept) return { bytes: kept, text, lost: [] };
  const bytes = Buffer.concat([Buffer.from(old.hasBom ? '\ufeff' : '', 'utf8'), Buffer.from(text, 'utf8')]);
  return { bytes, text, lost: [`it was ${old.encoding}, which lacks some of its characters, and is now utf-8`] };
}

const hasOnlyCrlf = (text: string): boolean => text.includes('\r\n') && !/(^|[^\r])\n/.test(text);

interface Written {
  existing: ExistingFile | undefined;
  lost: readonly string[];
}

function summary({ label, path }: LocatedPath, content: string, { existing, lost }: Written): string {
  const lines = plural(content === '' ? 0 : content.replace(/\r?\n$/, '').split('\n').length, 'line');
  if (!existing) {
    const isPortable = path.split('/').every(isPortableName);
    return `Created ${label} (${lines}).${isPortable ? '' : ' A file of this name cannot exist on Windows.'}`;
  }
  const { decoded, bytes } = existing;
  if (!decoded)
    return `Replaced ${label}, which was not text (${binaryKind(bytes)}, ${sizeText(bytes.length)}), with ${lines}.`;
  return `Replaced ${label} (${lines})${lost.length > 0 ? `; ${lost.join('; ')}` : ''}.`;
}
