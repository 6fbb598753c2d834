import { expect, test } from '@jest/globals';
import { DEMO_END, DEMO_STEPS, DEMO_TASK, DEMO_TITLE, demoScript } from './demo-scenario.ts';

const task = { role: 'user', content: [{ type: 'text', text: DEMO_TASK }] };
const other = { role: 'user', content: 'A test of this project fails: the total is wrong.' };
const answer = { role: 'assistant' };
const tools = [{}];

test('the demo starts anew in each session, whatever was asked before', () => {
  const [first, second] = DEMO_STEPS;
  expect(demoScript({ body: { tools, messages: [task] } })).toEqual(first);
  expect(demoScript({ body: { tools, messages: [task, answer] } })).toEqual(second);
  expect(demoScript({ body: { messages: [task] } })).toEqual(DEMO_TITLE);
  expect(demoScript({ body: { tools, messages: [task] } })).toEqual(first);
});

test('the demo has no other answers, after its task and to another one', () => {
  const answers = DEMO_STEPS.map(() => answer);
  expect(demoScript({ body: { tools, messages: [task, ...answers, other] } })).toEqual(DEMO_END);
  expect(demoScript({ body: { tools, messages: [other] } })).toEqual(DEMO_END);
  expect(demoScript({ body: { messages: [other] } })).toHaveProperty('fault');
});
