import { type FileChange, removeInside, type Tool, type ToolAction, type ToolContext } from '@fucina/shared';
import * as z from 'zod';
import { editedWords } from '../edit/edit-result.ts';
import { recordChange, writeChange } from '../file-change.ts';
import { failure, shownPath } from '../located-path.ts';
import type { SeenTexts } from '../seen-texts.ts';
import { sha256Of } from '../text-file.ts';
import { type FilePatch, parsePatch } from './parse-patch.ts';
import { type PreparedFile, preparePatch } from './prepare-patch.ts';

const MAX_PATCH = 4 * 1024 * 1024;
const input = z.strictObject({ input: z.string().min(1).max(MAX_PATCH).describe('the whole patch') });
type Input = z.infer<typeof input>;

interface PatchNeeds {
  texts: SeenTexts;
}

/** Several files at once, in the form that GPT models were trained on: all or nothing. */
export function createPatchTool({ texts }: PatchNeeds): Tool<Input> {
  return {
    name: 'apply_patch',
    description:
      'Change, create, move and delete text files, all or nothing. A patch is "*** Begin Patch", then for each file ' +
      '"*** Add File: path" with lines "+…", "*** Delete File: path", or "*** Update File: path" (then maybe ' +
      '"*** Move to: path") with changes: "@@" and a line above it (a class, a function), then lines "-…" removed, "+…" added ' +
      'and " …" unchanged, three before and after; at last "*** End Patch". Paths are relative.',
    category: 'extended',
    effect: 'write',
    gate: 'file_edit',
    input,
    action: ({ input: patch }, { folder }) => {
      const parts = partsOf(patch, folder);
      const [only] = parts.length === 1 ? parts : [];
      return { tipo: 'apply_patch', ...(only && { percorso: only.percorso }), parti: parts, patch };
    },
    parts: ({ parti }) => parti as readonly ToolAction[],
    async check({ input: patch }, context) {
      const prepared = await preparePatch(patch, context);
      return typeof prepared === 'string' ? prepared : undefined;
    },
    async run({ input: patch }, context) {
      const prepared = await preparePatch(patch, context);
      if (typeof prepared === 'string') return failure(prepared);
      const problem = await writeAll(prepared, context);
      if (problem !== undefined) return failure(problem);
      const changes = prepared.flatMap((file) => recorded(file, context, texts));
      return { content: prepared.map(words).join('\n'), changes };
    },
  };
}

/** What the patch does to each file, as calls of the tools that change one: each has to be allowed. */
function partsOf(patch: string, folder: string): ToolAction[] {
  const files = parsePatch(patch);
  // It is refused before a question.
  if ('problem' in files) return [];
  const part = (tipo: string, path: string): ToolAction => ({ tipo, percorso: shownPath(path, folder) });
  return files.flatMap((file: FilePatch): ToolAction[] => {
    if (file.kind === 'add') return [part('scrivi', file.path)];
    const own = part('file_edit', file.path);
    return file.kind === 'update' && file.to !== undefined ? [own, part('scrivi', file.to)] : [own];
  });
}

/** Writes first, then removes. After an error, what was done is undone; the answer says what could not be. */
async function writeAll(files: readonly PreparedFile[], context: ToolContext): Promise<string | undefined> {
  const done: PreparedFile[] = [];
  const ordered = [...files.filter(({ after }) => after), ...files.filter(({ after }) => !after)];
  try {
    for (const file of ordered) {
      await context.willChange?.(file.place.label);
      await put(file.place, file.after, context);
      done.push(file);
    }
    return undefined;
  } catch (error) {
    const left = await putBack(done, context);
    const why = error instanceof Error ? error.message : 'unknown error';
    const rest = left.length > 0 ? ` These files could not be put back: ${left.join(', ')}.` : ' Nothing was changed.';
    return `The patch was not made: ${why}.${rest}`;
  }
}

async function put(place: PreparedFile['place'], state: PreparedFile['after'], context: ToolContext): Promise<void> {
  if (state) await writeChange(place, state.bytes, context);
  else await removeInside(place.root, place.path);
}

async function putBack(done: readonly PreparedFile[], context: ToolContext): Promise<string[]> {
  const left: string[] = [];
  for (const { place, before } of [...done].reverse()) {
    try {
      await put(place, before, context);
    } catch {
      // The answer names it.
      left.push(place.label);
    }
  }
  return left;
}

function recorded({ place, before, after }: PreparedFile, context: ToolContext, texts: SeenTexts): FileChange[] {
  if (!after) return [{ path: place.label, before: before?.text ?? null, after: null }];
  texts.set(sha256Of(after.bytes), after.text);
  const change = { bytes: after.bytes, before: before?.text ?? null, after: after.text };
  return [...recordChange(context, place, change)];
}

function words({ place: { label }, before, after, edited }: PreparedFile): string {
  if (!after) return `Removed ${label}.`;
  if (edited?.spans.length)
    return before ? editedWords(edited, label) : `Moved to ${label}. ${editedWords(edited, label)}`;
  return before ? `${label} is unchanged.` : `Wrote ${label}.`;
}
