import type { CallReader } from '../calls/reading/call-reader.ts';
import { writtenCalls } from '../calls/reading/written-calls.ts';
import { answeringModel } from '../state/answering-model.ts';
import type { ModelStep } from './model-step.ts';
import { append, type CallScope } from './turn-context.ts';

const REMARK = 'the call was written as text; make calls with the tools of the request';

/**
 * An answer that is nothing but calls in the syntax of the model's family becomes these calls. The text stays: it is what the
 * model said. Nothing happens where one of the tools is not offered.
 */
export function takeWrittenCalls(answer: ModelStep, { turn, tools }: CallScope, reader: CallReader): void {
  const isEnded = answer.finish === null || answer.finish === 'stop' || answer.finish === 'other';
  if (answer.failure || answer.toolCalls.length > 0 || !isEnded) return;
  const { needs, record } = turn;
  const written = writtenCalls(answer.text, answeringModel(record));
  const readings = written.map((call) => ({ call, reading: reader.begin(call.name) }));
  if (readings.length === 0 || !readings.every(({ reading }) => tools.has(reading.name))) return;
  for (const { call, reading } of readings) {
    const toolCallId = needs.ambient.newId();
    const delta = reading.push(call.arguments) + reading.end();
    turn.usedCallIds.add(toolCallId);
    append(turn, [
      { type: 'ToolCallStart', toolCallId, toolCallName: reading.name, avviatoA: needs.ambient.now() },
      ...(delta ? [{ type: 'ToolCallArgs' as const, toolCallId, delta }] : []),
    ]);
    const read = reading.call(toolCallId);
    answer.toolCalls.push({ ...read, isWritten: true, remarks: [REMARK, ...read.remarks] });
  }
}
