import { type Conversation, findItem, readArguments } from '@fucina/conversation';
import { callSummary, toolLabels } from '../../../parts/tool-words.ts';
import type { TraceStep } from '../../../wire/records.ts';
import { isWordKey, type Words } from '../../../words/words.ts';

/** What a step is, in a few words. */
export function stepName({ kind, name }: TraceStep, { say }: Words): string {
  switch (kind) {
    case 'model':
      return name || say('trace.waitingForModel');
    case 'tool':
      return say(toolLabels(name).name, { name: name });
    case 'waiting':
      return say('trace.wait');
    case 'retry':
      return say('trace.retry');
    case 'compaction':
      return say('trace.compaction');
  }
}

/** The subject of a call of this conversation: the command, the path. Those of sub-agents are in theirs. */
export function stepSubject({ toolCallId, name, level }: TraceStep, conversation: Conversation): string {
  const call = toolCallId && level === 0 ? findItem(conversation, 'tool', toolCallId) : undefined;
  return call ? callSummary(name, readArguments(call)) : '';
}

/** The kind of failure in words where it is known, else as it is: a status, an exit code. */
export function stepError({ error, kind, outcome }: TraceStep, { say }: Words): string | undefined {
  if (error === null) return outcome === 'failed' ? say('trace.outcome.failed') : undefined;
  const key = `failure.${error}`;
  if (isWordKey(key)) return say(key);
  return kind === 'tool' ? say('trace.exit', { code: error }) : error;
}
