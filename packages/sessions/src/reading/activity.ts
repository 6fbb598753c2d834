import { type SessionEvent, textStart } from '@fucina/shared';

/** An agent's activity so far, folded from its events. */
export interface Activity {
  /** Files read, newest last. */
  read: string[];
  /** Files written with the time (epoch ms) of the last change. */
  written: { path: string; at: number }[];
  /** The call in progress: its tool's name. */
  currentTool: string | null;
  /** The start of its last message. */
  summary: string | null;
  /** How the last command ended, as evidence of what was tested. */
  evidence: { command: string; exitCode: number } | null;
  lastAt: number | null;
  closedAt: number | null;
  error: string | null;
}

export interface ActivityFold {
  apply(event: SessionEvent, at: number): void;
  read(): Activity;
}

const MAX_FILES = 200;
const SUMMARY_LENGTH = 600;
const READING_TOOLS = new Set(['leggi']);

export function createActivity(): ActivityFold {
  const read = new Set<string>();
  const written = new Map<string, number>();
  const open = new Map<string, { tool: string; text: string }>();
  let text = '';
  let evidence: Activity['evidence'] = null;
  let lastAt: number | null = null;
  let closedAt: number | null = null;
  let error: string | null = null;

  const finishCall = (event: Extract<SessionEvent, { type: 'ToolCallResult' }>): void => {
    const call = open.get(event.toolCallId);
    open.delete(event.toolCallId);
    if (event.comando !== undefined && event.exitCode !== undefined) {
      evidence = { command: event.comando, exitCode: event.exitCode };
    }
    const path = call && READING_TOOLS.has(call.tool) && !event.fallito ? pathOf(call.text) : undefined;
    if (path !== undefined && read.size < MAX_FILES) read.add(path);
  };

  return {
    apply(event, at) {
      lastAt = at;
      switch (event.type) {
        case 'RunStarted':
          closedAt = null;
          error = null;
          return;
        case 'RunFinished':
          closedAt = at;
          return;
        case 'RunError':
          closedAt = at;
          error = event.message;
          return;
        case 'TextMessageStart':
          text = '';
          return;
        case 'TextMessageContent':
          if (text.length < SUMMARY_LENGTH) text += event.delta;
          return;
        case 'ToolCallStart':
          open.set(event.toolCallId, { tool: event.toolCallName, text: '' });
          return;
        case 'ToolCallArgs': {
          const call = open.get(event.toolCallId);
          if (call && READING_TOOLS.has(call.tool)) call.text += event.delta;
          return;
        }
        case 'ToolCallResult':
          return finishCall(event);
        case 'StateDelta':
          for (const { path } of event.delta) {
            if (path.startsWith('/file/') && written.size < MAX_FILES) written.set(path.slice('/file/'.length), at);
          }
          return;
        default:
          return;
      }
    },
    read: () => ({
      read: [...read],
      written: [...written].map(([path, at]) => ({ path, at })),
      currentTool: [...open.values()].at(-1)?.tool ?? null,
      summary: textStart(text, SUMMARY_LENGTH) || null,
      evidence,
      lastAt,
      closedAt,
      error,
    }),
  };
}

function pathOf(text: string): string | undefined {
  try {
    const { percorso } = JSON.parse(text) as { percorso?: unknown };
    return typeof percorso === 'string' ? percorso : undefined;
  } catch {
    // Invalid arguments: no file was read.
    return undefined;
  }
}
