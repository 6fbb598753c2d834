import { type SessionEvent, textStart } from '@fucina/shared';
import { CUSTOM_EVENTS } from '../../state/custom-events.ts';

/** What the board shows of a session's current or last turn, folded from its events. */
export interface LastWords {
  apply(event: SessionEvent, at: number): void;
  /** The last line with text that the agent wrote in this turn; null before there is one. */
  line(): string | null;
  /** Name of the tool whose call is in progress. */
  tool(): string | null;
  /** Epoch ms; null before the first turn, or while it runs. */
  startedAt(): number | null;
  endedAt(): number | null;
  /** Increases with every event that changes which files the session changed. */
  changes(): number;
}

const MAX_LINE = 300;
const HAS_TEXT = /[\p{L}\p{N}]/u;

export function createLastWords(): LastWords {
  const calls = new Map<string, string>();
  let current = '';
  let last: string | null = null;
  let startedAt: number | null = null;
  let endedAt: number | null = null;
  let changes = 0;

  const write = (text: string): void => {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) {
        last = textOf(current) ?? last;
        current = '';
      }
      if (current.length < MAX_LINE) current += textStart(part, MAX_LINE - current.length);
    }
  };
  const begin = (at: number): void => {
    calls.clear();
    current = '';
    last = null;
    startedAt = at;
    endedAt = null;
  };

  return {
    apply(event, at) {
      switch (event.type) {
        case 'RunStarted':
          return begin(at);
        case 'RunFinished':
        case 'RunError':
          calls.clear();
          endedAt = at;
          return;
        case 'TextMessageStart':
          return write('\n');
        case 'TextMessageContent':
          return write(event.delta);
        case 'ToolCallStart':
          calls.set(event.toolCallId, event.toolCallName);
          return;
        case 'ToolCallResult':
          calls.delete(event.toolCallId);
          return;
        case 'StateDelta':
          if (event.delta.some(({ path }) => path.startsWith('/file/'))) changes += 1;
          return;
        case 'CUSTOM':
          if (event.name === CUSTOM_EVENTS.undo) changes += 1;
          return;
        default:
          return;
      }
    },
    line: () => textOf(current) ?? last,
    tool: () => [...calls.values()].at(-1) ?? null,
    startedAt: () => startedAt,
    endedAt: () => endedAt,
    changes: () => changes,
  };
}

/** Undefined for a line without a letter or digit, such as the fence of a code block. */
function textOf(line: string): string | undefined {
  const text = line.trim();
  return HAS_TEXT.test(text) ? text : undefined;
}
