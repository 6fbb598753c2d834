import { join } from 'node:path';
import {
  ANY_VERSION,
  statInside,
  type Tool,
  type ToolCheckContext,
  type ToolContext,
  type ToolResult,
} from '@fucina/shared';
import * as z from 'zod';
import { applyEdits, type EditedText } from './edit/apply-edits.ts';
import { changedSince } from './edit/changed-since.ts';
import { editedWords } from './edit/edit-result.ts';
import { hiddenControlFile, readExisting, recordChange, writeChange } from './file-change.ts';
import { MAX_FILE_BYTES } from './limits.ts';
import { failure, type LocatedPath, locate, shownPath } from './located-path.ts';
import type { SearchNeeds } from './needs.ts';
import type { SeenTexts } from './seen-texts.ts';
import { meantNames, pathFailureWithNames } from './suggested-paths.ts';
import { binaryKind, encodeText, sha256Of } from './text-file.ts';

const MAX_EDITS = 100;
const edit = { nuovo: z.string(), tutte: z.boolean().optional() };
const input = z.strictObject({
  percorso: z.string().min(1).max(4096),
  vecchio: z.string().min(1).describe('exact text to replace, without line numbers'),
  nuovo: edit.nuovo,
  tutte: edit.tutte.describe('replace every occurrence'),
  altre: z
    .array(z.object({ vecchio: z.string().min(1), ...edit }))
    .max(MAX_EDITS)
    .optional()
    .describe('further edits, in order; all or none'),
});
type Input = z.infer<typeof input>;

interface EditNeeds extends SearchNeeds {
  texts: SeenTexts;
}

export function createEditTool(needs: EditNeeds): Tool<Input> {
  return {
    name: 'file_edit',
    description:
      'Replace text in a file that occurs there exactly once, or every time (tutte). Otherwise nothing changes and the ' +
      'reason comes back. Line ends and encoding are kept.',
    category: 'base',
    effect: 'write',
    gate: 'file_edit',
    input,
    action: ({ percorso, vecchio, nuovo, tutte, altre }, { folder }) => ({
      tipo: 'file_edit',
      percorso: shownPath(percorso, folder),
      vecchio,
      nuovo,
      ...(tutte ? { tutte } : {}),
      ...(altre?.length ? { altre } : {}),
    }),
    async check(wanted, context) {
      try {
        const prepared = await prepare(wanted, context, needs);
        return 'bytes' in prepared ? undefined : prepared.content;
      } catch (error) {
        return (await pathFailureWithNames(error, wanted.percorso, { needs, context })).content;
      }
    },
    async run(wanted, context) {
      try {
        return await run(wanted, context, needs);
      } catch (error) {
        return pathFailureWithNames(error, wanted.percorso, { needs, context });
      }
    },
  };
}

interface PreparedEdit {
  place: LocatedPath;
  bytes: Uint8Array;
  before: string;
  after: string;
  edited: EditedText;
  /** SHA-256 of the version that the session read, if another one is there now. */
  read: string | undefined;
}

async function run(wanted: Input, context: ToolContext, needs: EditNeeds): Promise<ToolResult> {
  const { texts } = needs;
  const prepared = await prepare(wanted, context, needs);
  if (!('bytes' in prepared)) return prepared;
  const { place, edited, read, bytes, after } = prepared;
  await writeChange(place, bytes, context);
  const since = read === undefined ? undefined : changedSince(texts.get(read), edited);
  const changes = recordChange(context, place, prepared);
  // Not shown whole, the version that was read stays the one that is known.
  if (since?.isWhole === false && read !== undefined) context.seen.set(place.label, read);
  texts.set(sha256Of(bytes), after);
  const words = [editedWords(edited, place.label), ...(since ? [since.note] : [])].join('\n');
  return { content: await shownTo(words, place, { context, needs }), changes };
}

/** Without lines of the file where the user restricts reading it. */
async function shownTo(
  words: string,
  { root, path }: LocatedPath,
  { context, needs }: { context: ToolCheckContext; needs: EditNeeds },
): Promise<string> {
  const isGuarded = await needs.guardsReading?.(context.folder);
  if (!isGuarded?.(join(root, (await statInside(root, path)).realPath))) return words;
  return words
    .split('\n')
    .filter((line) => !/^\s*(?:\d+\t|…)/.test(line))
    .join('\n');
}

/** The edited file, or why the edit is impossible. */
async function prepare(wanted: Input, context: ToolCheckContext, needs: EditNeeds): Promise<PreparedEdit | ToolResult> {
  const { vecchio, nuovo, tutte, altre = [] } = wanted;
  const place = locate(wanted.percorso, context);
  const existing = await readExisting(place, context);
  if (!existing) {
    const names = await meantNames(wanted.percorso, { needs, context });
    return failure(`${place.label} does not exist. ${names || 'To create it, write it.'}`);
  }
  const refusal = await hiddenControlFile(place);
  if (refusal) return refusal;
  const { decoded } = existing;
  if (!decoded) return failure(`${place.label} is not text (${binaryKind(existing.bytes)}); it cannot be edited.`);

  const edited = applyEdits(decoded.text, [{ vecchio, nuovo, tutte }, ...altre], place);
  if (typeof edited === 'string') return failure(await shownTo(edited, place, { context, needs }));
  const bytes = await encodeText(edited.text, decoded);
  if (!bytes) {
    return failure(
      `The new text has characters that ${place.label} (${decoded.encoding}) cannot hold. Write the whole file (UTF-8).`,
    );
  }
  if (bytes.length > MAX_FILE_BYTES) return failure('The file would be larger than 32 MiB; nothing was changed.');
  const seen = context.seen.get(place.label);
  const isStale = seen !== undefined && seen !== ANY_VERSION && sha256Of(existing.bytes) !== seen;
  return { place, bytes, before: decoded.text, after: edited.text, edited, read: isStale ? seen : undefined };
}
