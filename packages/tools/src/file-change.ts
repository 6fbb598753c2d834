import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { isControlFile } from '@fucina/sandbox';
import {
  ANY_VERSION,
  type EditorFiles,
  type FileChange,
  PathError,
  readFileInside,
  statInside,
  type ToolContext,
  type ToolResult,
  writeFileInside,
} from '@fucina/shared';
import { MAX_FILE_BYTES } from './limits.ts';
import { failure, type LocatedPath } from './located-path.ts';
import { decodeText, encodeText, sha256Of, type TextFile } from './text-file.ts';

export interface ExistingFile {
  bytes: Buffer;
  /** undefined when it is not text. */
  decoded: TextFile | undefined;
}

/** The current file, undefined when there is none. Throws PathError for anything but a regular file. */
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

/** The editor's text, if it has unsaved changes. Files that cannot be read were rejected before. */
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

/** A refusal when the file is not the version that this session read; undefined when it may be changed. */
export function staleness(
  place: LocatedPath,
  existing: ExistingFile | undefined,
  context: Pick<ToolContext, 'seen'>,
): ToolResult | undefined {
  const seen = context.seen.get(place.label);
  if (seen === undefined || seen === ANY_VERSION || !existing || sha256Of(existing.bytes) === seen) return undefined;
  return failure(`${place.label} has changed since you read it. Read it again, then repeat the change.`);
}

/**
 * A refusal when an ordinary name leads through a link to a control file: the approval was for the name. Resolves the
 * nearest existing parent folder.
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

/** Writes to the resolved `place`, unless a link set in the meantime makes that an unapproved control file. */
export async function writeChange(
  place: LocatedPath,
  data: Uint8Array,
  { editor }: Pick<ToolContext, 'editor'>,
): Promise<void> {
  const isRefused = (real: string): boolean => isHiddenControlFile(place, real);
  if (editor && (await writeInEditor(place, data, editor))) return;
  await writeFileInside(place.root, place.path, { data, createFolders: true, isRefused });
}

/**
 * A control file is approved by its own name only: not as the target of a link, even if the link's name is one, too.
 */
function isHiddenControlFile({ path, label }: LocatedPath, real: string): boolean {
  if (!isControlFile(real)) return false;
  return !isControlFile(label) || real.toLowerCase() !== path.toLowerCase();
}

/** Records what the session now knows of the file, and returns the change. */
export function recordChange(
  context: ToolContext,
  place: LocatedPath,
  { bytes, before, after }: { bytes: Uint8Array; before: string | null; after: string },
): readonly FileChange[] {
  context.seen.set(place.label, sha256Of(bytes));
  return [{ path: place.label, before, after }];
}

/**
 * Only for an existing plain UTF-8 file, not behind a link: anything else is written to disk, where links are checked
 * at the moment of writing.
 */
async function writeInEditor(place: LocatedPath, data: Uint8Array, editor: EditorFiles): Promise<boolean> {
  const found = await statInside(place.root, place.path).catch(() => undefined); // does not exist yet
  if (found?.realPath !== place.path || !isUtf8(data)) return false;
  const isWritten = await editor.write(join(place.root, place.path), Buffer.from(data).toString('utf8'));
  if (!isWritten) return false;
  // An editor may change line ends or the final newline: then the disk gets the requested text.
  const { bytes } = await readFileInside(place.root, place.path, MAX_FILE_BYTES);
  return bytes.equals(data);
}
