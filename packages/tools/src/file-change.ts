import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import {
  type EditorFiles,
  type FileChange,
  PathError,
  readFileInside,
  statInside,
  type ToolContext,
  type ToolResult,
  writeFileInside,
} from '@fucina/shared';
import { isControlFile } from './control-files.ts';
import { MAX_FILE_BYTES } from './limits.ts';
import { failure, type LocatedPath } from './located-path.ts';
import { decodeText, encodeText, sha256Of, type TextFile } from './text-file.ts';

export interface ExistingFile {
  bytes: Buffer;
  /** undefined when it is not text. */
  decoded: TextFile | undefined;
}

/** The file as it is now, undefined when there is none. Throws PathError for anything else than a regular file. */
export async function readExisting(
  place: LocatedPath,
  { editor }: Pick<ToolContext, 'editor'>,
): Promise<ExistingFile | undefined> {
  try {
    const { bytes } = await readFileInside(place.root, place.path, MAX_FILE_BYTES);
    return await inEditor(place, { bytes, decoded: await decodeText(bytes) }, editor);
  } catch (error) {
    if (error instanceof PathError && error.problem === 'missing') return undefined;
    throw error;
  }
}

/** A text as the editor has it, where it has unsaved changes. What the disk refuses was refused before. */
export async function inEditor(
  place: LocatedPath,
  file: ExistingFile,
  editor: EditorFiles | undefined,
): Promise<ExistingFile> {
  const { decoded } = file;
  if (!editor || !decoded) return file;
  const text = await editor.read(join(place.root, place.path));
  if (text === undefined || text === decoded.text || Buffer.byteLength(text) > MAX_FILE_BYTES) return file;
  const bytes = await encodeText(text, decoded);
  return bytes ? { bytes, decoded: { ...decoded, text } } : file;
}

/** A refusal when the file is no longer what this session read; undefined when it may be changed. */
export function staleness(
  place: LocatedPath,
  existing: ExistingFile | undefined,
  context: Pick<ToolContext, 'seen'>,
): ToolResult | undefined {
  const seen = context.seen.get(place.label);
  if (seen === undefined || !existing || sha256Of(existing.bytes) === seen) return undefined;
  return failure(`${place.label} has changed since you read it. Read it again with leggi, then repeat the change.`);
}

/**
 * A refusal when a link makes an ordinary name write to a control file: the approval was for the name. The real place is that
 * of the nearest existing folder above the file.
 */
export async function hiddenControlFile(place: LocatedPath): Promise<ToolResult | undefined> {
  const segments = place.path.split('/');
  for (let depth = segments.length; depth >= 0; depth--) {
    try {
      const { realPath } = await statInside(place.root, segments.slice(0, depth).join('/'));
      const real = [realPath, ...segments.slice(depth)].filter(Boolean).join('/');
      if (!isHiddenControlFile(place, real)) return undefined;
      return failure(`${place.label} is a link to the control file ${real}. Name that path itself.`);
    } catch (error) {
      if (!(error instanceof PathError) || error.problem !== 'missing') throw error;
    }
  }
  return undefined;
}

/** Writes where `place` leads, unless a link that was set meanwhile makes that a control file nobody was asked about. */
export async function writeChange(
  place: LocatedPath,
  data: Uint8Array,
  { editor }: Pick<ToolContext, 'editor'>,
): Promise<void> {
  const isRefused = (real: string): boolean => isHiddenControlFile(place, real);
  if (editor && (await writeInEditor(place, data, editor))) return;
  await writeFileInside(place.root, place.path, { data, createFolders: true, isRefused });
}

/** A control file was asked about by its own name only: not as the target of a link, be the link's name one too. */
function isHiddenControlFile({ path, label }: LocatedPath, real: string): boolean {
  if (!isControlFile(real)) return false;
  return !isControlFile(label) || real.toLowerCase() !== path.toLowerCase();
}

/** Remembers what the session now knows of the file, and tells the change. */
export function recordChange(
  context: ToolContext,
  place: LocatedPath,
  { bytes, before, after }: { bytes: Uint8Array; before: string | null; after: string },
): readonly FileChange[] {
  context.seen.set(place.label, sha256Of(bytes));
  return [{ path: place.label, before, after }];
}

/**
 * Only a plain file that is there, in UTF-8, and not behind a link: what else is to be written goes to the disk, where
 * links are judged at the moment of writing.
 */
async function writeInEditor(place: LocatedPath, data: Uint8Array, editor: EditorFiles): Promise<boolean> {
  const found = await statInside(place.root, place.path).catch(() => undefined); // not there yet
  if (found?.realPath !== place.path || !isUtf8(data)) return false;
  const isWritten = await editor.write(join(place.root, place.path), Buffer.from(data).toString('utf8'));
  if (!isWritten) return false;
  // An editor may keep its own line ends or final newline: then the disk gets what was asked for.
  const { bytes } = await readFileInside(place.root, place.path, MAX_FILE_BYTES);
  return bytes.equals(data);
}
