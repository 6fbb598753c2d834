import type { Tool, ToolCheckContext, ToolContext, ToolResult } from '@fucina/shared';
import * as z from 'zod';
import { plural } from './cut.ts';
import { nearMisses } from './edit-hints.ts';
import { hiddenControlFile, readExisting, recordChange, staleness, writeChange } from './file-change.ts';
import { MAX_FILE_BYTES } from './limits.ts';
import { failure, type LocatedPath, locate, pathFailure, shownPath } from './located-path.ts';
import { binaryKind, encodeText } from './text-file.ts';

const input = z.strictObject({
  percorso: z.string().min(1).max(4096),
  vecchio: z.string().min(1).describe('exact text to replace, without line numbers'),
  nuovo: z.string(),
  tutte: z.boolean().optional().describe('replace every occurrence'),
});
type Input = z.infer<typeof input>;

const MAX_LISTED = 20;

export function createEditTool(): Tool<Input> {
  return {
    name: 'file_edit',
    description:
      'Replace text in a file. vecchio must occur exactly once, white space included, unless tutte is true; ' +
      'otherwise nothing changes and the reason comes back. Line ends and encoding are kept.',
    category: 'base',
    effect: 'write',
    gate: 'file_edit',
    input,
    action: ({ percorso, vecchio, nuovo, tutte }, { folder }) => ({
      tipo: 'file_edit',
      percorso: shownPath(percorso, folder),
      vecchio,
      nuovo,
      ...(tutte ? { tutte } : {}),
    }),
    async check(wanted, context) {
      try {
        const prepared = await prepare(wanted, context);
        return 'bytes' in prepared ? undefined : prepared.content;
      } catch (error) {
        return pathFailure(error, wanted.percorso).content;
      }
    },
    async run(wanted, context) {
      try {
        return await edit(wanted, context);
      } catch (error) {
        return pathFailure(error, wanted.percorso);
      }
    },
  };
}

interface PreparedEdit {
  place: LocatedPath;
  bytes: Uint8Array;
  before: string;
  after: string;
  positions: number[];
}

async function edit(wanted: Input, context: ToolContext): Promise<ToolResult> {
  const prepared = await prepare(wanted, context);
  if (!('bytes' in prepared)) return prepared;
  const { place, positions, before } = prepared;
  await writeChange(place, prepared.bytes, context);
  const changes = recordChange(context, place, prepared);
  const where = `at ${lineList(before, positions)}`;
  return { content: `Edited ${place.label}: ${plural(positions.length, 'replacement')} ${where}.`, changes };
}

/** The edited file, or why the edit is impossible. */
async function prepare(wanted: Input, context: ToolCheckContext): Promise<PreparedEdit | ToolResult> {
  if (wanted.vecchio === wanted.nuovo) return failure('vecchio and nuovo are the same text; nothing to change.');
  const place = locate(wanted.percorso, context);
  const existing = await readExisting(place, context);
  if (!existing) return failure(`${place.label} does not exist. Create it with scrivi.`);
  const refusal = staleness(place, existing, context) ?? (await hiddenControlFile(place));
  if (refusal) return refusal;
  const { decoded } = existing;
  if (!decoded) return failure(`${place.label} is not text (${binaryKind(existing.bytes)}); it cannot be edited.`);

  const { old, replacement, positions } = findIn(decoded.text, wanted);
  if (positions.length === 0) {
    return failure(
      `vecchio does not occur in ${place.label}; nothing was changed.${nearMisses(decoded.text, wanted.vecchio)}`,
    );
  }
  if (positions.length > 1 && !wanted.tutte) return failure(ambiguous(place.label, decoded.text, positions));
  const after = replaceAt(decoded.text, { positions, length: old.length, replacement });
  const bytes = await encodeText(after, decoded);
  if (!bytes) {
    return failure(
      `nuovo has characters that ${place.label} (${decoded.encoding}) cannot hold. Rewrite the file with scrivi (UTF-8).`,
    );
  }
  if (bytes.length > MAX_FILE_BYTES) return failure('The file would be larger than 32 MiB; nothing was changed.');
  return { place, bytes, before: decoded.text, after, positions };
}

interface Found {
  old: string;
  replacement: string;
  positions: number[];
}

/**
 * The model writes `
 * `; in a CRLF file the texts are searched and written with CRLF.
 */
function findIn(text: string, { vecchio, nuovo }: Input): Found {
  const isCrlf = text.includes('\r\n');
  const withCrlf = (part: string): string => part.replaceAll(/\r?\n/g, '\r\n');
  const exact = occurrences(text, vecchio);
  if (exact.length > 0) {
    const hasOwnEnds = vecchio.includes('\n') && !vecchio.includes('\r\n');
    return { old: vecchio, replacement: isCrlf && !hasOwnEnds ? withCrlf(nuovo) : nuovo, positions: exact };
  }
  const old = withCrlf(vecchio);
  return { old, replacement: withCrlf(nuovo), positions: isCrlf ? occurrences(text, old) : [] };
}

function occurrences(text: string, part: string): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found.push(at);
  return found;
}

function replaceAt(
  text: string,
  { positions, length, replacement }: { positions: readonly number[]; length: number; replacement: string },
): string {
  const parts: string[] = [];
  let from = 0;
  for (const at of positions) {
    parts.push(text.slice(from, at), replacement);
    from = at + length;
  }
  return parts.join('') + text.slice(from);
}

function ambiguous(label: string, text: string, positions: readonly number[]): string {
  return (
    `vecchio occurs ${positions.length} times in ${label} (${lineList(text, positions)}); nothing was changed. ` +
    'Add surrounding lines to make it unique, or set tutte to replace all.'
  );
}

function lineList(text: string, positions: readonly number[]): string {
  const lines: number[] = [];
  let line = 1;
  let from = 0;
  for (const at of positions.slice(0, MAX_LISTED)) {
    for (let next = text.indexOf('\n', from); next >= 0 && next < at; next = text.indexOf('\n', from)) {
      line++;
      from = next + 1;
    }
    lines.push(line);
  }
  const unique = [...new Set(lines)];
  const more = positions.length > MAX_LISTED ? ` and ${positions.length - MAX_LISTED} more` : '';
  return `${unique.length === 1 ? 'line' : 'lines'} ${unique.join(', ')}${more}`;
}
