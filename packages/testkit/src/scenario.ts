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
  /** The first matching rule answers; one without conditions always matches. */
  rules?: readonly ScenarioRule[];
}

export interface ScenarioRule {
  when?: { lastRole?: ModelServerRequest['lastRole']; includes?: string };
  reply: Reply;
}

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
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

export function scriptOf(scenario: Scenario): Script {
  const { always, steps, rules } = scenario;
  if (always) return () => ({ ...always });
  if (steps && !scenario.isLoop) return steps;
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

function fits(when: ScenarioRule['when'], request: ModelServerRequest): boolean {
  if (when?.lastRole !== undefined && when.lastRole !== request.lastRole) return false;
  return when?.includes === undefined || request.lastText.includes(when.includes);
}
