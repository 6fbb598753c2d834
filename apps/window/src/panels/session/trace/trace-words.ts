import { type Conversation, findItem, readArguments } from '@fucina/conversation';
import { callSummary, toolLabels } from '../../../parts/tool-words.ts';
import type { TraceStep } from '../../../wire/records.ts';
import { isWordKey, type Words } from '../../../words/words.ts';

/** What a step is, in a few words. */
export function stepName({ tipo, nome }: TraceStep, { say }: Words): string {
  switch (tipo) {
    case 'modello':
      return nome || say('trace.waitingForModel');
    case 'strumento':
      return say(toolLabels(nome).name, { name: nome });
    case 'attesa':
      return say('trace.wait');
    case 'ritentativo':
      return say('trace.retry');
    case 'compattazione':
      return say('trace.compaction');
  }
}

/** The subject of a call of this conversation: the command, the path. Those of sub-agents are in theirs. */
export function stepSubject({ toolCallId, nome, livello }: TraceStep, conversation: Conversation): string {
  const call = toolCallId && livello === 0 ? findItem(conversation, 'tool', toolCallId) : undefined;
  return call ? callSummary(nome, readArguments(call.args)) : '';
}

/** The kind of failure in words where it is known, else as it is: a status, an exit code. */
export function stepError({ errore, tipo, esito }: TraceStep, { say }: Words): string | undefined {
  if (errore === null) return esito === 'fallito' ? say('trace.outcome.fallito') : undefined;
  const key = `failure.${errore}`;
  if (isWordKey(key)) return say(key);
  return tipo === 'strumento' ? say('trace.exit', { code: errore }) : errore;
}
