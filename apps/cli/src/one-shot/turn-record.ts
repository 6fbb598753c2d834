import type { SessionEvent, UsageState } from '@fucina/shared';
import { planOf } from './dialogue.ts';

/** What became of a turn, and of those it corrects, gathered from their events. */
export interface TurnRecord {
  /** The last message of the model. */
  text: string;
  /** Of all the turns it tells of. */
  usage: UsageState | null;
  /** What the turns before this one used. */
  usedBefore: UsageState | null;
  /** Relative paths of files written, in order, once each. */
  changes: string[];
  /** Requests for leave that were not granted. */
  denials: number;
  /** The plan it showed and nobody carried out: what a turn in plan mode is for. */
  hasPlan: boolean;
  /** How it ended; undefined while it runs. */
  ending: Ending | undefined;
}

type Ending =
  | { isError: false }
  | {
      isError: true;
      code: string;
      message: string;
      failureClass: string | undefined;
      /** What the provider itself said: redacted and bounded. */
      providerMessage: string | undefined;
    };

const FILE_PREFIX = '/file/';

/** `before` is the turn that this one corrects: what was changed, denied and used stays told. */
export function createTurnRecord(before?: TurnRecord): TurnRecord {
  const { changes = [], denials = 0, usage = null } = before ?? {};
  return { text: '', usage, usedBefore: usage, changes: [...changes], denials, hasPlan: false, ending: undefined };
}

/** Changes the record in place. */
export function recordEvent(record: TurnRecord, event: SessionEvent): void {
  switch (event.type) {
    case 'TextMessageStart':
      record.text = '';
      return;
    case 'TextMessageContent':
      record.text += event.delta;
      return;
    case 'StateDelta':
      for (const { path, value } of event.delta) {
        if (path === '/usage') record.usage = together(record.usedBefore, value as UsageState);
        const file = path.startsWith(FILE_PREFIX) ? path.slice(FILE_PREFIX.length) : undefined;
        if (file !== undefined && !record.changes.includes(file)) record.changes.push(file);
      }
      return;
    case 'ApprovalResolved':
      if (!event.approvato) record.denials += 1;
      return;
    case 'CUSTOM': {
      const plan = planOf(event);
      if (!plan) return;
      if (plan.status === 'proposed') record.text = plan.content;
      record.hasPlan = plan.status === 'proposed' || plan.status === 'cancelled';
      return;
    }
    case 'RunFinished':
      record.ending = { isError: false };
      return;
    case 'RunError':
      record.ending = {
        isError: true,
        code: event.code ?? 'internal-error',
        message: event.message,
        failureClass: event.classe,
        providerMessage: event.messaggioFornitore,
      };
      return;
    default:
  }
}

function together(before: UsageState | null, now: UsageState): UsageState {
  if (!before) return now;
  const cached = before.cached_tokens === null && now.cached_tokens === null;
  return {
    ...now,
    prompt_tokens: before.prompt_tokens + now.prompt_tokens,
    completion_tokens: before.completion_tokens + now.completion_tokens,
    cached_tokens: cached ? null : (before.cached_tokens ?? 0) + (now.cached_tokens ?? 0),
    giri: before.giri + now.giri,
  };
}
