import { isPortableName, type Tool, type ToolContext, type ToolResult } from '@fucina/shared';
import * as z from 'zod';
import { plural, sizeText } from './cut.ts';
import {
  type ExistingFile,
  hiddenControlFile,
  readExisting,
  recordChange,
  staleness,
  writeChange,
} from './file-change.ts';
import { MAX_FILE_BYTES } from './limits.ts';
import { failure, type LocatedPath, locate, pathFailure, shownPath } from './located-path.ts';
import { binaryKind, encodeText, type TextFile } from './text-file.ts';

const input = z.strictObject({ percorso: z.string().min(1).max(4096), contenuto: z.string() });
type Input = z.infer<typeof input>;

export function createWriteTool(): Tool<Input> {
  return {
    name: 'scrivi',
    description:
      'Write a whole text file (at most 32 MiB), creating it and its folders (UTF-8) or replacing what is there, whose ' +
      'encoding and line ends are kept. ' +
      'To change part of a file use file_edit.',
    category: 'base',
    effect: 'write',
    gate: 'scrivi',
    input,
    action: ({ percorso, contenuto }, { folder }) => ({
      tipo: 'scrivi',
      percorso: shownPath(percorso, folder),
      contenuto,
    }),
    async run(wanted, context) {
      try {
        return await write(wanted, context);
      } catch (error) {
        return pathFailure(error, wanted.percorso);
      }
    },
  };
}

async function write({ percorso, contenuto }: Input, context: ToolContext): Promise<ToolResult> {
  const size = Buffer.byteLength(contenuto);
  if (size > MAX_FILE_BYTES) return failure(`The text is ${sizeText(size)}; the limit is 32 MiB.`);
  const place = locate(percorso, context);
  const existing = await readExisting(place, context);
  const refusal = staleness(place, existing, context) ?? (await hiddenControlFile(place));
  if (refusal) return refusal;
  const { bytes, text, lost } = await likeExisting(contenuto, existing?.decoded);
  if (existing?.bytes.equals(bytes)) {
    recordChange(context, place, { bytes, before: text, after: text });
    return { content: `${place.label} already has exactly this content; nothing was written.` };
  }
  await writeChange(place, bytes, context);
  const changes = recordChange(context, place, { bytes, before: existing?.decoded?.text ?? null, after: text });
  return { content: summary(place, text, { existing, lost }), changes };
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
