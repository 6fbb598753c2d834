import type { Tool, ToolContext, ToolResult } from '@fucina/shared';
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
import { failure, locate, pathFailure, shownPath } from './located-path.ts';
import { binaryKind } from './text-file.ts';

const input = z.strictObject({ percorso: z.string().min(1).max(4096), contenuto: z.string() });
type Input = z.infer<typeof input>;

export function createWriteTool(): Tool<Input> {
  return {
    name: 'scrivi',
    description:
      'Write a whole text file (UTF-8, at most 32 MiB), creating it and its folders or replacing what is there. ' +
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
  const bytes = Buffer.from(contenuto, 'utf8');
  if (bytes.length > MAX_FILE_BYTES) return failure(`The text is ${sizeText(bytes.length)}; the limit is 32 MiB.`);
  const place = locate(percorso, context);
  const existing = await readExisting(place, context);
  const refusal = staleness(place, existing, context) ?? (await hiddenControlFile(place));
  if (refusal) return refusal;
  if (existing?.bytes.equals(bytes)) {
    recordChange(context, place, { bytes, before: contenuto, after: contenuto });
    return { content: `${place.label} already has exactly this content; nothing was written.` };
  }
  await writeChange(place, bytes, context);
  const changes = recordChange(context, place, { bytes, before: existing?.decoded?.text ?? null, after: contenuto });
  return { content: summary(place.label, contenuto, existing), changes };
}

function summary(label: string, content: string, existing: ExistingFile | undefined): string {
  const lines = plural(content === '' ? 0 : content.replace(/\n$/, '').split('\n').length, 'line');
  if (!existing) return `Created ${label} (${lines}).`;
  const { decoded, bytes } = existing;
  if (!decoded)
    return `Replaced ${label}, which was not text (${binaryKind(bytes)}, ${sizeText(bytes.length)}), with ${lines}.`;
  const notes = [
    ...(decoded.encoding === 'utf-8' ? [] : [`it was ${decoded.encoding} and is now utf-8`]),
    ...(decoded.text.includes('\r\n') && !content.includes('\r\n') ? ['it had CRLF line ends and now has LF'] : []),
  ];
  return `Replaced ${label} (${lines})${notes.length > 0 ? `; ${notes.join('; ')}` : ''}.`;
}
