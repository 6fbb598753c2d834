import { DEMO_END, DEMO_STEPS, DEMO_TITLE } from './demo-scenario.ts';
import type { Script } from './model-server.ts';
import type { Reply } from './reply.ts';
import type { ModelServerRequest } from './request.ts';

/** A script as data, for a file. Exactly one of `always`, `steps`, `rules`. */
export interface Scenario {
  /** The same reply to every request. */
  always?: Reply;
  /** Replies in order; with `isLoop` repeated from the start. */
  steps?: readonly Reply[];
  isLoop?: boolean;
  /** With steps: each request gets the one after the answers that its conversation holds; this one after the last. */
  afterSteps?: Reply;
  /** With `afterSteps`: to requests that offer no tools, for a title or a commit message. */
  withoutTools?: Reply;
  /** The first matching rule answers; one without conditions always matches. */
  rules?: readonly ScenarioRule[];
}

export interface ScenarioRule {
  when?: { lastRole?: ModelServerRequest['lastRole']; includes?: string };
  reply: Reply;
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  demo: { steps: DEMO_STEPS, afterSteps: DEMO_END, withoutTools: DEMO_TITLE },
  hello: { always: { text: 'Hello.' } },
  'burst-2000': { always: { text: { count: 2000 } } },
  'burst-20000': { always: { text: { count: 20_000 } } },
  'paced-200': { always: { text: { count: 400, stamped: true }, deltasPerSecond: 200 } },
  'tool-turn': {
    rules: [
      { when: { lastRole: 'tool' }, reply: { text: 'Done.' } },
      { reply: { toolCalls: [{ name: 'shell', arguments: { comando: 'echo bench' } }] } },
    ],
  },
};

export function scriptOf({ always, steps, isLoop, afterSteps, withoutTools, rules }: Scenario): Script {
  if (always) return () => ({ ...always });
  if (steps && afterSteps) {
    return ({ body }) => {
      const step = steps[answersIn(body)] ?? afterSteps;
      return { ...(body['tools'] ? step : (withoutTools ?? step)) };
    };
  }
  if (steps && !isLoop) return steps;
  if (steps) {
    let at = 0;
    return () => ({ ...steps[at++ % steps.length] });
  }
  return (request) => {
    const rule = rules?.find(({ when }) => fits(when, request));
    return rule
      ? { ...rule.reply }
      : { fault: { kind: 'status', status: 400, message: 'No rule of the scenario fits.' } };
  };
}

/** How often the model has answered in a conversation on the chat-completions wire. */
function answersIn({ messages }: ModelServerRequest['body']): number {
  return Array.isArray(messages) ? messages.filter(({ role }: { role?: string }) => role === 'assistant').length : 0;
}

function fits(when: ScenarioRule['when'], request: ModelServerRequest): boolean {
  if (when?.lastRole !== undefined && when.lastRole !== request.lastRole) return false;
  return when?.includes === undefined || request.lastText.includes(when.includes);
}
