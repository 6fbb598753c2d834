import { isControlFile } from '@fucina/sandbox';
import type { FileChange, ToolContext, ToolResult } from '@fucina/shared';
import {
  type ExistingFile,
  hiddenControlFile,
  readExisting,
  recordChange,
  staleness,
  writeChange,
} from './file-change.ts';
import { MAX_FILE_BYTES } from './limits.ts';
import { failure, type LocatedPath, locate, pathFailure } from './located-path.ts';
import { encodeText } from './text-file.ts';

/** The new text of an existing text file, made from its text. */
export interface RequestedChange {
  /** Relative to the session's folder. */
  path: string;
  change(text: string): string;
}

/** What the approved call names itself: it may be a control file. */
export interface ChangeApproval {
  path: string;
}

interface Prepared {
  place: LocatedPath;
  bytes: Uint8Array;
  before: string;
  after: string;
}

/**
 * Changes several files under the rules of `file_edit`: all are checked before the first is written, encodings are kept,
 * and a control file is changed only if the approval named it. Otherwise the reason, and nothing was changed.
 */
export async function changeFiles(
  requested: readonly RequestedChange[],
  approval: ChangeApproval,
  context: ToolContext,
): Promise<readonly FileChange[] | ToolResult> {
  const prepared: Prepared[] = [];
  for (const one of requested) {
    const ready = await prepare(one, approval, context).catch((error: unknown) => pathFailure(error, one.path));
    if ('content' in ready) return { ...ready, content: `${ready.content} Nothing was changed.` };
    if (ready.before !== ready.after) prepared.push(ready);
  }
  const changes: FileChange[] = [];
  for (const { place, ...text } of prepared) {
    await context.willChange?.(place.label);
    await writeChange(place, text.bytes, context);
    changes.push(...recordChange(context, place, text));
  }
  return changes;
}

async function prepare(
  { path, change }: RequestedChange,
  approval: ChangeApproval,
  context: ToolContext,
): Promise<Prepared | ToolResult> {
  const place = locate(path, { folder: context.folder, isWholeDisk: false });
  if (isControlFile(place.label) && place.label !== locate(approval.path, context).label) {
    return failure(`${place.label} is a control file; edit it by itself.`);
  }
  const existing = await readExisting(place, context);
  if (!existing) return failure(`${place.label} does not exist.`);
  const refusal = staleness(place, existing, context) ?? (await hiddenControlFile(place));
  return refusal ?? encoded(place, existing, change);
}

async function encoded(
  place: LocatedPath,
  { decoded }: ExistingFile,
  change: (text: string) => string,
): Promise<Prepared | ToolResult> {
  if (!decoded) return failure(`${place.label} is not text.`);
  const after = change(decoded.text);
  const bytes = await encodeText(after, decoded);
  if (!bytes) return failure(`The new text has characters that ${place.label} (${decoded.encoding}) cannot hold.`);
  if (bytes.length > MAX_FILE_BYTES) return failure(`${place.label} would be larger than 32 MiB.`);
  return { place, bytes, before: decoded.text, after };
}
