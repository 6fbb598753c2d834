import { isControlFile } from '@fucina/sandbox';
import { PathError, statInside, type ToolCheckContext } from '@fucina/shared';
import type { EditedText } from '../edit/apply-edits.ts';
import { hiddenControlFile, readExisting } from '../file-change.ts';
import { MAX_FILE_BYTES } from '../limits.ts';
import { type LocatedPath, locate, pathFailure } from '../located-path.ts';
import { binaryKind, encodeText } from '../text-file.ts';
import { type FilePatch, type PatchProblem, parsePatch } from './parse-patch.ts';
import { patchedText } from './patch-text.ts';

/** A file as it will be; null for none. */
export interface PreparedFile {
  place: LocatedPath;
  before: { bytes: Uint8Array; text: string } | null;
  after: { bytes: Uint8Array; text: string } | null;
  /** The places that changed, of an updated file. */
  edited?: EditedText;
}

/** All files of a patch, checked; or why nothing of it can be made, with the line that does not fit. */
export async function preparePatch(
  input: string,
  context: ToolCheckContext,
): Promise<readonly PreparedFile[] | string> {
  const files = parsePatch(input);
  if ('problem' in files) return refusal(files);
  const prepared: PreparedFile[] = [];
  for (const file of files) {
    const ready = await prepareFile(file, context).catch((error: unknown) => ({
      line: file.line,
      problem: pathFailure(error, file.path).content,
    }));
    if ('problem' in ready) return refusal(ready);
    prepared.push(...ready);
  }
  return prepared;
}

function refusal({ line, problem }: PatchProblem): string {
  return `Nothing was changed. Line ${line} of the patch: ${problem}`;
}

type Ready = readonly PreparedFile[] | PatchProblem;

async function prepareFile(file: FilePatch, context: ToolCheckContext): Promise<Ready> {
  const { path, line, kind } = file;
  const place = await allowedPlace(path, context);
  if ('problem' in place) return { line, ...place };
  const existing = await readExisting(place, context);
  if (kind === 'add') {
    if (existing) return { line, problem: `${place.label} exists already; update it, or delete it first.` };
    const after = { bytes: Buffer.from(file.content), text: file.content };
    return [{ place, before: null, after }];
  }
  if (!existing) return { line, problem: `${place.label} does not exist.` };
  const { decoded, bytes } = existing;
  if (!decoded) return { line, problem: `${place.label} is not text (${binaryKind(bytes)}).` };
  const before = { bytes, text: decoded.text };
  if (kind === 'delete') return (await linkProblem(place, line)) ?? [{ place, before, after: null }];

  const edited = patchedText(decoded.text, file.chunks, place.label);
  if ('problem' in edited) return edited;
  const written = await encodeText(edited.text, decoded);
  if (!written) return { line, problem: `${place.label} (${decoded.encoding}) cannot hold the new characters.` };
  if (written.length > MAX_FILE_BYTES) return { line, problem: `${place.label} would be larger than 32 MiB.` };
  const after = { bytes: written, text: edited.text };
  if (file.to === undefined) return [{ place, before, after, edited }];
  return (await linkProblem(place, line)) ?? moved(file.to, { place, before, after, edited }, { line, context });
}

async function moved(
  to: string,
  from: Required<PreparedFile>,
  { line, context }: { line: number; context: ToolCheckContext },
): Promise<Ready> {
  const target = await allowedPlace(to, context);
  if ('problem' in target) return { line, ...target };
  if (await readExisting(target, context)) return { line, problem: `${target.label} exists already.` };
  const { place, before, after, edited } = from;
  return [
    { place: target, before: null, after, edited },
    { place, before, after: null },
  ];
}

/** A patch stays in the folder at every level, and changes no control file: these are asked about one by one. */
async function allowedPlace(path: string, { folder }: ToolCheckContext): Promise<LocatedPath | { problem: string }> {
  const place = locate(path, { folder, isWholeDisk: false });
  if (isControlFile(place.label)) return { problem: `${place.label} is a control file; write it by itself.` };
  const hidden = await hiddenControlFile(place);
  return hidden ? { problem: hidden.content } : place;
}

/** What is removed is the file that was shown. */
async function linkProblem({ root, path, label }: LocatedPath, line: number): Promise<PatchProblem | undefined> {
  try {
    const { realPath } = await statInside(root, path);
    return realPath === path ? undefined : { line, problem: `${label} leads through a link.` };
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return { line, problem: pathFailure(error, path).content };
  }
}
