import {
  type ImageReference,
  type MediaReference,
  type SessionEvent,
  type ToolResult,
  textEnd,
  textStart,
} from '@fucina/shared';
import { changeEvents, reportedPatch, type Trace } from '../undo/change-events.ts';

const MAX_STREAM_TEXT = 128 * 1024;

export interface ResultFacts {
  durationMs: number;
  messageId: string;
  images: readonly (ImageReference | MediaReference)[];
  /** Sequence of the RunStarted the changes belong to. */
  turn: number;
  /** Versions of the changed files in the history, by path. */
  traces?: ReadonlyMap<string, Trace> | undefined;
  /** The turn ended or was redirected before the call finished. */
  isInterrupted?: boolean | undefined;
  /** Files that the call read or wrote, with the SHA-256 of their content. */
  versions?: ReadonlyMap<string, string> | undefined;
}

/** Events of a finished call: its file changes, its additions to the conversation, then its result. */
export function resultEvents(
  toolCallId: string,
  result: ToolResult,
  { durationMs, messageId, images, turn, traces, isInterrupted, versions }: ResultFacts,
): SessionEvent[] {
  const { command, changes = [] } = result;
  const facts = command && {
    comando: command.command,
    cwd: command.cwd,
    ...(command.stdout && { stdout: clip(command.stdout) }),
    ...(command.stderr && { stderr: clip(command.stderr) }),
    ...(command.exitCode !== null && { exitCode: command.exitCode }),
    enforcement: command.enforcement,
  };
  const patches = changes.map((change) => reportedPatch(change, traces?.get(change.path)));
  const events = changeEvents(patches, turn);
  events.push(...(result.events ?? []));
  const { content } = result;
  const failed = result.isError ? { fallito: true as const } : {};
  events.push({
    type: 'ToolCallResult',
    messageId,
    toolCallId,
    content,
    role: 'tool',
    durataMs: durationMs,
    ...facts,
    ...failed,
    ...(isInterrupted && { interrotto: true as const }),
    ...(result.addresses?.length && { indirizzi: [...result.addresses] }),
    ...(versions?.size && { versioni: [...versions].map(([percorso, sha256]) => ({ percorso, sha256 })) }),
    ...(images.length && { immagini: [...images] }),
  });
  return events;
}

function clip(text: string): string {
  if (text.length <= MAX_STREAM_TEXT) return text;
  const half = MAX_STREAM_TEXT / 2;
  return `${textStart(text, half)}\n[… ${text.length - MAX_STREAM_TEXT} characters left out …]\n${textEnd(text, half)}`;
}
