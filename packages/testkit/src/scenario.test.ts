import { expect, test } from '@jest/globals';
import { DEMO_END, DEMO_STEPS, DEMO_TITLE } from './demo-scenario.ts';
import type { Script } from './model-server.ts';
import type { Reply } from './reply.ts';
import type { ModelServerRequest } from './request.ts';
import { SCENARIOS, type Scenario, scriptOf } from './scenario.ts';

const user = { role: 'user' };
const answer = { role: 'assistant' };

/** The texts of the demo's replies to these messages, in order, with or without tools offered. */
async function demoReplies(...requests: { messages: object[]; tools?: object[] }[]) {
  const script = scriptOf(SCENARIOS['demo'] as Scenario) as Extract<Script, (request: ModelServerRequest) => unknown>;
  const replies: Reply[] = [];
  for (const body of requests) replies.push(await script({ body } as unknown as ModelServerRequest));
  return replies.map(({ text }) => text);
}

test('the demo starts anew in each session, whatever was asked before', async () => {
  const tools = [{}];
  const replies = await demoReplies(
    { tools, messages: [user] },
    { tools, messages: [user, answer] },
    { messages: [user] },
    { tools, messages: [user] },
  );
  const [first, second] = DEMO_STEPS;
  expect(replies).toEqual([first?.text, second?.text, DEMO_TITLE.text, first?.text]);
});

test('the demo says that it has ended to what is written after it', async () => {
  const answers = DEMO_STEPS.flatMap(() => [answer]);
  expect(await demoReplies({ tools: [{}], messages: [user, ...answers, user] })).toEqual([DEMO_END.text]);
});
