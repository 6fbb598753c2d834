import { textStart } from '@fucina/shared';
import { createTwoFilesPatch } from 'diff';
import { exactText } from './change-events.ts';
import type { FileSide, NetChange, TurnChanges } from './turn-changes.ts';

/** Above this many differing lines a comparison takes too long to be useful. */
const MAX_EDITS = 2_000;
const MAX_COMPARED = 1024 * 1024;

/** A unified diff; undefined when the texts are too large or too different to compare. */
export function unifiedDiff(path: string, before: string, after: string): string | undefined {
  if (before.length + after.length > MAX_COMPARED) return undefined;
  const patch = createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, {
    maxEditLength: MAX_EDITS,
    context: 3,
  });
  return patch?.replace(/^=+\n/, '');
}

export interface DiffLimits {
  files: number;
  characters: number;
}

/** One block per file, with limited size. */
export async function diffsOf(
  changes: readonly NetChange[],
  bytesOf: TurnChanges['bytesOf'],
  limits: DiffLimits,
): Promise<{ text: string; omitted: number }> {
  const blocks: string[] = [];
  let room = limits.characters;
  for (const change of changes.slice(0, limits.files)) {
    if (room <= 0) break;
    const block = await diffOf(change, bytesOf, room);
    room -= block.length;
    blocks.push(block);
  }
  return { text: blocks.join('\n\n'), omitted: changes.length - blocks.length };
}

async function diffOf({ path, before, after }: NetChange, bytesOf: TurnChanges['bytesOf'], room: number) {
  const [one, other] = [await sideText(before, bytesOf), await sideText(after, bytesOf)];
  const mode = before.mode !== after.mode && before.isThere && after.isThere ? modeLine(before, after) : '';
  const isText = typeof one === 'string' && typeof other === 'string';
  const diff = isText && one !== other ? unifiedDiff(path, one, other) : undefined;
  const body = diff ?? (isText && one === other ? '' : `${path}: ${sizeOf(one)} → ${sizeOf(other)}`);
  return fencedText([mode, body].filter(Boolean).join('\n') || path, room);
}

function modeLine(before: FileSide, after: FileSide): string {
  return `mode ${before.mode?.toString(8) ?? '?'} → ${after.mode?.toString(8) ?? '?'}`;
}

/** The text, the bytes if it is not text, or null when they are not stored. */
async function sideText(side: FileSide, bytesOf: TurnChanges['bytesOf']): Promise<string | Buffer | null> {
  if (!side.isThere) return '';
  const bytes = await bytesOf(side);
  return bytes ? (exactText(bytes) ?? bytes) : null;
}

function sizeOf(content: string | Buffer | null): string {
  if (content === null) return '?';
  return `${Buffer.byteLength(content)} B`;
}

/** A fence longer than any inside it. */
export function fencedText(text: string, room: number): string {
  const cut = text.length > room ? `${textStart(text, room)}\n[…]` : text.trimEnd();
  const longest = Math.max(2, ...[...cut.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${cut}\n${fence}`;
}
