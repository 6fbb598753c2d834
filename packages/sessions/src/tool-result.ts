import type { FileChange, ImageReference, SessionEvent, StatePatch, ToolResult } from '@fucina/shared';

/** Longest file text kept in an event; a larger one is announced without its text. */
const MAX_CHANGE_TEXT = 384 * 1024;
const MAX_STREAM_TEXT = 128 * 1024;

/** What a finished call leaves in the journal: the files it changed, what it adds to the conversation, then its result. */
export function resultEvents(
  toolCallId: string,
  result: ToolResult,
  { durationMs, messageId, images }: { durationMs: number; messageId: string; images: readonly ImageReference[] },
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
  const events: SessionEvent[] = changes.length ? [{ type: 'StateDelta', delta: changes.map(patchOf) }] : [];
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
    ...(images.length && { immagini: [...images] }),
  });
  return events;
}

function patchOf({ path, before, after, attachment }: FileChange): StatePatch {
  const isSmall = (before?.length ?? 0) + (after?.length ?? 0) <= MAX_CHANGE_TEXT;
  return {
    op: after === null ? 'remove' : before === null ? 'add' : 'replace',
    path: `/file/${path}`,
    ...(after !== null && { value: isSmall ? after : null }),
    ...(before !== null && isSmall && { prima: before }),
    ...(attachment && { allegato: attachment }),
  };
}

function clip(text: string): string {
  if (text.length <= MAX_STREAM_TEXT) return text;
  const half = MAX_STREAM_TEXT / 2;
  return `${text.slice(0, half)}\n[… ${text.length - MAX_STREAM_TEXT} characters left out …]\n${text.slice(-half)}`;
}
