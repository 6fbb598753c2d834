import { ANY_VERSION, type ExternalToolResult, type ExternalTurn, type SessionEvent } from '@fucina/shared';
import { refusalOf } from './call-permission.ts';
import { runToolCalls, type ToolStepNeeds } from './tool-step.ts';

/**
 * The tools of an external agent: its calls run like those of a model, through the same gate, one at a time, because
 * the user answers one card at a time.
 */
export function externalTurn(needs: ToolStepNeeds): ExternalTurn {
  let before: Promise<unknown> = Promise.resolve();
  const inOrder = <Result>(act: () => Promise<Result>): Promise<Result> => {
    const result = before.then(act);
    before = result.catch(() => undefined);
    return result;
  };

  return {
    sessionId: needs.place.sessionId,
    folder: needs.place.folder,
    runTool: (call, signal) => inOrder(() => runTool(call, withSignal(needs, signal))),
    mayDo: ({ effect, gate, action }, signal) =>
      inOrder(async () => {
        const tool = { name: action.tipo, effect, gate };
        return (await refusalOf({ tool, action }, withSignal(needs, signal))) === undefined;
      }),
  };
}

function withSignal(needs: ToolStepNeeds, signal: AbortSignal): ToolStepNeeds {
  return { ...needs, signal: AbortSignal.any([needs.signal, signal]) };
}

async function runTool(
  { name, arguments: input }: { name: string; arguments: Record<string, unknown> },
  needs: ToolStepNeeds,
): Promise<ExternalToolResult> {
  const id = needs.ambient.newId();
  const text = JSON.stringify(input);
  needs.append([
    { type: 'ToolCallStart', toolCallId: id, toolCallName: name, avviatoA: needs.ambient.now() },
    { type: 'ToolCallArgs', toolCallId: id, delta: text },
  ]);
  let result: Extract<SessionEvent, { type: 'ToolCallResult' }> | undefined;
  await runToolCalls([{ id, name, arguments: text }], {
    ...needs,
    // It reads files by itself, without our tools.
    seen: { ...needs.seen, get: (path) => needs.seen.get(path) ?? ANY_VERSION },
    appendResult(events) {
      needs.appendResult(events);
      for (const event of events) if (event.type === 'ToolCallResult' && event.toolCallId === id) result = event;
    },
  });
  return {
    content: result?.content ?? '',
    isError: result?.fallito === true,
    ...(result?.comando !== undefined && { exitCode: result.exitCode ?? null }),
  };
}
