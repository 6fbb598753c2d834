import { ANY_VERSION, type ExternalToolResult, type ExternalTurn, type SessionEvent } from '@fucina/shared';
import { refusalOf } from '../permission/call-permission.ts';
import { append, type CallScope } from '../turn/turn-context.ts';
import { createCallReader } from './reading/call-reader.ts';
import { runToolCalls } from './run-calls.ts';

/**
 * The tools of an external agent: its calls run like those of a model, through the same gate, one at a time, because
 * the user answers one card at a time.
 */
export function externalTurn(scope: CallScope): ExternalTurn {
  let before: Promise<unknown> = Promise.resolve();
  const inOrder = <Result>(act: () => Promise<Result>): Promise<Result> => {
    const result = before.then(act);
    before = result.catch(() => undefined);
    return result;
  };

  return {
    sessionId: scope.turn.record.header.sessionId,
    folder: scope.turn.record.header.folder,
    runTool: (call, signal) => inOrder(() => runTool(call, withSignal(scope, signal))),
    mayDo: ({ effect, gate, action }, signal) =>
      inOrder(async () => {
        const tool = { name: action.tipo, effect, gate };
        return (await refusalOf({ tool, action }, withSignal(scope, signal))) === undefined;
      }),
  };
}

function withSignal(scope: CallScope, signal: AbortSignal): CallScope {
  return { ...scope, signal: AbortSignal.any([scope.signal, signal]) };
}

async function runTool(
  { name, arguments: input }: { name: string; arguments: Record<string, unknown> },
  scope: CallScope,
): Promise<ExternalToolResult> {
  const { turn } = scope;
  const { ambient } = turn.needs;
  const id = ambient.newId();
  const reading = createCallReader(new Set(scope.tools.keys()), scope.dialect).begin(name);
  const text = reading.push(JSON.stringify(input)) + reading.end();
  append(turn, [
    { type: 'ToolCallStart', toolCallId: id, toolCallName: reading.name, avviatoA: ambient.now() },
    { type: 'ToolCallArgs', toolCallId: id, delta: text },
  ]);
  let result: Extract<SessionEvent, { type: 'ToolCallResult' }> | undefined;
  await runToolCalls([reading.call(id)], {
    ...scope,
    // It reads files by itself, without our tools.
    seen: { ...scope.seen, get: (path) => scope.seen.get(path) ?? ANY_VERSION },
    appendResult(events) {
      scope.appendResult(events);
      for (const event of events) if (event.type === 'ToolCallResult' && event.toolCallId === id) result = event;
    },
  });
  return {
    content: result?.content ?? '',
    isError: result?.fallito === true,
    ...(result?.comando !== undefined && { exitCode: result.exitCode ?? null }),
  };
}
