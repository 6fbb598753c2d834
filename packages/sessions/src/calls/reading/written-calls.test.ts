import type { SessionEvent } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { testSessions } from '../../../test/harness.ts';
import { call, finish, say } from '../../testing.ts';
import { writtenCalls } from './written-calls.ts';

const READ = [{ name: 'read', arguments: '{"path":"a.ts"}' }];
const TAGGED = '<tool_call>\n{"name":"read","arguments":{"path":"a.ts"}}\n</tool_call>';
const FUNCTION = '<function=read>\n<parameter=path>\na.ts\n</parameter>\n</function>';
const INVOKE = '<invoke name="read">\n<parameter name="path">a.ts</parameter>\n</invoke>';
const KIMI = '<|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"path":"a.ts"}<|tool_call_end|>';
const DEEPSEEK =
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{"path":"a.ts"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>';

describe('a call in the syntax of the model’s family is found', () => {
  test.each([
    ['qwen/qwen3-32b', TAGGED, 'read'],
    ['local:some-finetune', TAGGED, 'read'],
    ['qwen/qwen3-coder', FUNCTION, 'read'],
    ['qwen/qwen3-coder', `<tool_call>\n${FUNCTION}\n</tool_call>`, 'read'],
    ['z-ai/glm-4.6', '<tool_call>read\n<arg_key>path</arg_key>\n<arg_value>a.ts</arg_value>\n</tool_call>', 'read'],
    ['moonshotai/kimi-k2', KIMI, 'functions.read'],
    ['moonshotai/kimi-k2', `<|tool_calls_section_begin|>${KIMI}<|tool_calls_section_end|>`, 'functions.read'],
    ['deepseek:deepseek-chat', DEEPSEEK, 'read'],
    ['mistralai/devstral', '[TOOL_CALLS][{"name":"read","arguments":{"path":"a.ts"}}]', 'read'],
    ['mistralai/devstral', '[TOOL_CALLS]read[ARGS]{"path":"a.ts"}', 'read'],
    ['anthropic:claude-opus-4-5', `<function_calls>\n${INVOKE}\n</function_calls>`, 'read'],
    ['minimax/MiniMax-M2', `<minimax:tool_call>\n${INVOKE}\n</minimax:tool_call>`, 'read'],
    [
      'openai/gpt-oss-120b',
      '<|channel|>commentary to=functions.read <|constrain|>json<|message|>{"path":"a.ts"}<|call|>',
      'functions.read',
    ],
  ])('%s: %s', (model, text, name) => {
    expect(writtenCalls(`\n${text}\n`, model)).toEqual([{ ...READ[0], name }]);
  });

  test('as often as it is there', () => {
    expect(writtenCalls(`${TAGGED}\n${TAGGED}`, 'qwen/qwen3')).toEqual([...READ, ...READ]);
    expect(writtenCalls(Array.from({ length: 17 }, () => TAGGED).join('\n'), 'qwen/qwen3')).toEqual([]);
  });

  test('with text of several lines as it is', () => {
    const text = '<function=write><parameter=content>\n\n  a\n</b>\n\n</parameter></function>';
    expect(JSON.parse(writtenCalls(text, 'qwen3')[0]?.arguments ?? '')).toEqual({ content: '\n  a\n</b>\n' });
  });
});

test.each([
  ['words before it', 'qwen/qwen3', `I read it.\n${TAGGED}`],
  ['words after it', 'qwen/qwen3', `${TAGGED}\nThis is how a call looks.`],
  ['a fence around it', 'qwen/qwen3', `\`\`\`xml\n${TAGGED}\n\`\`\``],
  ['JSON in a fence', 'qwen/qwen3', '```json\n{"name":"read","arguments":{"path":"a.ts"}}\n```'],
  ['plain JSON', 'qwen/qwen3', '{"name":"read","arguments":{"path":"a.ts"}}'],
  ['another family’s syntax', 'openai:gpt-5', TAGGED],
  ['another family’s syntax', 'anthropic:claude-opus-4-5', TAGGED],
  ['another family’s syntax', 'qwen/qwen3', INVOKE],
  ['no end', 'qwen/qwen3', '<tool_call>{"name":"read","arguments":{"path":"a.ts"}}'],
  ['one of two that is none', 'qwen/qwen3', `${TAGGED}<tool_call>none</tool_call>`],
  ['nothing', 'qwen/qwen3', ' '],
])('a message with %s is no call (%s)', (_what, model, text) => {
  expect(writtenCalls(text, model)).toEqual([]);
});

const write = '<tool_call>{"name":"write","arguments":{"path":"a.ts","content":"x"}}</tool_call>';
const model = 'qwen/qwen3';
const resultOf = (events: readonly SessionEvent[]) => events.find(({ type }) => type === 'ToolCallResult');

describe('an answer that is nothing but a call', () => {
  test('runs a call that reads, and tells the model', async () => {
    await using setup = await testSessions([{ events: [...say(TAGGED), finish('stop')] }]);
    const id = await setup.start({ model });
    await setup.sessions.turns.settled(id);
    const events = await setup.events(id);
    expect(events.find(({ type }) => type === 'ToolCallStart')).toMatchObject({ toolCallName: 'leggi' });
    expect(resultOf(events)).toMatchObject({
      content: expect.stringMatching(/^content of a\.ts\n\[Repaired in this call: the call was written as text/),
    });
    expect(setup.model.requests).toHaveLength(2);
    expect(events.filter(({ type }) => type === 'ApprovalRequested')).toEqual([]);
  });

  test.each(['Workspace write', 'On request', 'Full access'] as const)(
    'asks before more than reading under %s, and runs it once it is allowed',
    async (permissions) => {
      await using setup = await testSessions([{ events: say(write) }]);
      const id = await setup.start({ model, permissions });
      const { requestId } = (await setup.seen(id, 'ApprovalRequested')) as { requestId: string };
      expect(setup.written).toEqual([]);
      await setup.sessions.requests.approve(id, { requestId, isApproved: true });
      await setup.sessions.turns.settled(id);
      expect(setup.written).toEqual(['a.ts']);
    },
  );

  test('does not run what the user did not allow, nor what the level forbids', async () => {
    await using setup = await testSessions([{ events: say(write) }]);
    const id = await setup.start({ model, permissions: 'Full access' });
    const { requestId } = (await setup.seen(id, 'ApprovalRequested')) as { requestId: string };
    await setup.sessions.requests.approve(id, { requestId, isApproved: false });
    await setup.sessions.turns.settled(id);
    await using other = await testSessions([{ events: say(write) }]);
    const readOnly = await other.start({ model, permissions: 'Read only' });
    await other.sessions.turns.settled(readOnly);
    expect([setup.written, other.written]).toEqual([[], []]);
    expect(resultOf(await other.events(readOnly))).toMatchObject({ content: expect.stringContaining('read only') });
  });

  test('is denied where nobody can be asked', async () => {
    await using setup = await testSessions([{ events: say(write) }], {
      unattended: () => ({ mayDelegate: false, readsAnyAddress: false }),
    });
    const id = await setup.start({ model, permissions: 'Full access' });
    await setup.sessions.turns.settled(id);
    expect(setup.written).toEqual([]);
    expect(resultOf(await setup.events(id))).toMatchObject({ content: expect.stringContaining('nobody is there') });
  });

  test.each([
    ['names a tool that is not offered', [...say(TAGGED.replace('read', 'burn')), finish('stop')]],
    ['was cut', [...say(TAGGED), finish('length')]],
  ])('is text where it %s', async (_what, events) => {
    await using setup = await testSessions([{ events }]);
    const id = await setup.start({ model });
    await setup.sessions.turns.settled(id);
    expect((await setup.events(id)).filter(({ type }) => type === 'ToolCallStart')).toEqual([]);
  });

  test('is text beside a real call', async () => {
    await using setup = await testSessions([{ events: [...say(write), ...call('c1', 'read', { path: 'b.ts' })] }]);
    const id = await setup.start({ model, permissions: 'Full access' });
    await setup.sessions.turns.settled(id);
    expect(setup.written).toEqual([]);
    expect((await setup.events(id)).filter(({ type }) => type === 'ToolCallStart')).toHaveLength(1);
  });
});
