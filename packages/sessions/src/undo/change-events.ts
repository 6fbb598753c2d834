import { createHash } from 'node:crypto';
import type { FileChange, SessionEvent, StatePatch } from '@fucina/shared';
import type { Unrecorded } from '../state/unrecorded.ts';
import type { ChangedFile, FileHistory, FileVersion } from './file-history.ts';

/** Versions of a file that a tool wrote: undefined when it could not be read. */
export interface Trace {
  before: FileVersion | null | undefined;
  after: FileVersion | null | undefined;
}

/** Longest text stored in its event; larger changes are recorded by the hashes of their contents. */
const MAX_CHANGE_TEXT = 384 * 1024;
/** For all changes of one command. */
const MAX_COMMAND_TEXT = 512 * 1024;
const MAX_PATCHES = 256;
const MAX_TEXT_FILE = 192 * 1024;

/** File changes as events; `turn` is their RunStarted, absent for a revert. */
export function changeEvents(
  delta: readonly StatePatch[],
  turn?: number,
  unrecorded?: Partial<Unrecorded>,
): SessionEvent[] {
  const { omitted = 0, isPartial = false, contested = [] } = unrecorded ?? {};
  const last = {
    ...(omitted > 0 && { altri: omitted }),
    ...(isPartial && { parziale: true as const }),
    ...(contested.length > 0 && { contesi: contested.slice(0, MAX_PATCHES) }),
  };
  const chunks: (readonly StatePatch[])[] = [];
  for (let start = 0; start < delta.length; start += MAX_PATCHES) chunks.push(delta.slice(start, start + MAX_PATCHES));
  if (chunks.length === 0 && Object.keys(last).length > 0) chunks.push([]);
  return chunks.map((chunk, index) => ({
    type: 'StateDelta',
    delta: [...chunk],
    ...(turn !== undefined && { giro: turn }),
    ...(index === chunks.length - 1 && last),
  }));
}

/**
 * A change reported by a tool, with hashes for what its texts cannot represent: other encodings, bytes, long files.
 */
export function reportedPatch({ path, before, after, attachment }: FileChange, trace?: Trace): StatePatch {
  const isSmall = (before?.length ?? 0) + (after?.length ?? 0) <= MAX_CHANGE_TEXT;
  const value = isSmall ? after : null;
  const prima = isSmall ? before : null;
  const wasThere = before !== null || Boolean(trace?.before);
  const primaBlob = trace?.before && trace.before.sha256 !== textHash(prima) ? trace.before.sha256 : undefined;
  const dopoBlob = trace?.after && trace.after.sha256 !== textHash(value) ? trace.after.sha256 : undefined;
  return {
    op: after === null ? 'remove' : wasThere ? 'replace' : 'add',
    path: `/file/${path}`,
    ...(after !== null && { value }),
    ...(prima !== null && { prima }),
    ...(attachment && { allegato: attachment }),
    ...(primaBlob && { primaBlob }),
    ...(dopoBlob && { dopoBlob }),
  };
}

/** A command's changes: short texts inline, all else by hash. */
export async function foundPatches(changes: readonly ChangedFile[], history: FileHistory): Promise<StatePatch[]> {
  let room = MAX_COMMAND_TEXT;
  const patches: StatePatch[] = [];
  for (const change of changes) {
    const texts = room > 0 ? await textsOf(change, history) : undefined;
    room -= (texts?.before?.length ?? 0) + (texts?.after?.length ?? 0);
    patches.push(foundPatch(change, room >= 0 ? texts : undefined));
  }
  return patches;
}

interface Texts {
  before: string | undefined;
  after: string | undefined;
}

export function foundPatch({ path, before, after }: ChangedFile, texts: Texts | undefined): StatePatch {
  const isModeReported = before?.mode !== after?.mode;
  return {
    op: after === null ? 'remove' : before === null ? 'add' : 'replace',
    path: `/file/${path}`,
    ...(after && { value: texts?.after ?? null }),
    ...(texts?.before !== undefined && { prima: texts.before }),
    ...(before?.sha256 && texts?.before === undefined && { primaBlob: before.sha256 }),
    ...(after?.sha256 && texts?.after === undefined && { dopoBlob: after.sha256 }),
    ...(before && isModeReported && { primaModo: before.mode }),
    ...(after && isModeReported && { dopoModo: after.mode }),
  };
}

/** Undefined when one side is not a short text, or only the permissions changed. */
async function textsOf({ before, after }: ChangedFile, history: FileHistory): Promise<Texts | undefined> {
  if (before?.sha256 && before.sha256 === after?.sha256) return undefined;
  const [one, other] = [await textOf(before, history), await textOf(after, history)];
  const isWhole = (before === null || one !== undefined) && (after === null || other !== undefined);
  return isWhole ? { before: one, after: other } : undefined;
}

async function textOf(version: FileVersion | null, history: FileHistory): Promise<string | undefined> {
  if (!version?.sha256 || version.sizeBytes > MAX_TEXT_FILE) return undefined;
  const bytes = await history.read(version.sha256);
  return bytes && exactText(bytes);
}

/** Undefined for content that is not text, or would not encode to the same bytes. */
export function exactText(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined;
}

export function textHash(text: string | null | undefined): string | undefined {
  return text === null || text === undefined ? undefined : createHash('sha256').update(text, 'utf8').digest('hex');
}
