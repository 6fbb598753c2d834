import type { Conversation, Item, UsageState } from '@fucina/conversation';

/** The result of a turn, and of the turns that it corrects. */
export interface TurnRecord {
  /** The last message of the model. */
  text: string;
  /** For all these turns. */
  usage: UsageState | null;
  /** Relative paths of written files, in order, without repetitions. */
  changes: string[];
  /** Denied approvals. */
  denials: number;
  /** The plan that was not executed: the result of a turn in plan mode. */
  hasPlan: boolean;
  /** Its outcome; undefined while it runs. */
  ending: Ending | undefined;
}

type Ending =
  | { isError: false }
  | {
      isError: true;
      code: string;
      message: string;
      failureClass: string | undefined;
      /** The provider's own message: redacted and truncated. */
      providerMessage: string | undefined;
    };

/** `before` is the turn that this one corrects: its changes, denials and usage still count. */
export function turnRecord(conversation: Conversation, before?: TurnRecord): TurnRecord {
  const { items, usage, changes } = conversation;
  const approvals = items.filter((item) => item.kind === 'approval');
  const plan = items.findLast((item) => item.kind === 'plan');
  return {
    text: lastText(items),
    usage: usage ? together(before?.usage ?? null, usage) : (before?.usage ?? null),
    changes: [...new Set([...(before?.changes ?? []), ...changes.map(({ path }) => path)])],
    denials: (before?.denials ?? 0) + approvals.filter(({ state }) => state === 'denied' || state === 'gone').length,
    hasPlan: plan?.state === 'waiting' || plan?.state === 'cancelled',
    ending: endingOf(conversation),
  };
}

/** The last message of the model, or a later plan. */
function lastText(items: readonly Item[]): string {
  const last = items.findLast(({ kind }) => kind === 'text' || kind === 'plan');
  return last?.kind === 'plan' ? last.content : last?.kind === 'text' ? last.text : '';
}

function endingOf({ items, turn, isRunning }: Conversation): Ending | undefined {
  if (isRunning || turn === 0) return undefined;
  const end = items.findLast((item) => item.kind === 'end');
  // A command that is answered without the model has no end marker.
  if (!end || end.outcome === 'done') return { isError: false };
  const { code = 'internal-error', message = '', failureClass, providerMessage } = end;
  return { isError: true, code, message, failureClass, providerMessage };
}

function together(before: UsageState | null, now: UsageState): UsageState {
  if (!before) return now;
  const cached = before.cached_tokens === null && now.cached_tokens === null;
  return {
    ...now,
    prompt_tokens: before.prompt_tokens + now.prompt_tokens,
    completion_tokens: before.completion_tokens + now.completion_tokens,
    cached_tokens: cached ? null : (before.cached_tokens ?? 0) + (now.cached_tokens ?? 0),
    steps: before.steps + now.steps,
  };
}
