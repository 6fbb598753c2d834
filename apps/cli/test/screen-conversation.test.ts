import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Reply, type Script, tinyModel } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../src/config/config.ts';
import type { Io } from '../src/io.ts';
import { answers, ofKind, open, said, shell } from './conversation-bench.ts';

/** It says nothing more until it is stopped. */
const HANGS: Reply = { text: ['I begin. ', 'I go on.'], fault: { kind: 'hang-mid-stream' } };

describe('words', () => {
  test('the first begin the session with what was chosen, the next go on in it', async () => {
    await using s = await open([{ text: 'One.' }, { text: 'Two.' }], { level: 'Read only', effort: 'high' });
    expect(s.conversation.sessionId()).toBeUndefined();
    await s.say('first');
    await s.idle();
    await s.say('second');
    await s.idle();
    expect(said(s)).toEqual(['first', 'second']);
    expect(answers(s)).toEqual(['One.', 'Two.']);
    expect(s.conversation.choice()).toMatchObject({ model: 'ollama:tiny', level: 'Read only', effort: 'high' });
    expect(s.called).toEqual(['turn-over', 'turn-over']);
    expect(s.failures).toEqual([]);
  });

  test('said in a row arrive in that order, in one session', async () => {
    await using s = await open([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]);
    await Promise.all(['first', 'second', 'third'].map((words) => s.say(words)));
    await s.until(() => answers(s).length === 3);
    await s.idle();
    expect(said(s)).toEqual(['first', 'second', 'third']);
    expect(s.failures).toEqual([]);
  });

  test('words that could not be said keep none of the next', async () => {
    await using s = await open([{ text: 'Two.' }], { model: undefined });
    await expect(s.say('first')).rejects.toMatchObject({ reason: 'no-default-model' });
    await s.conversation.change({ model: 'ollama:tiny' });
    await s.say('second');
    await s.idle();
    expect(said(s)).toEqual(['second']);
  });

  test('said while a turn runs wait for its end', async () => {
    await using s = await open([shell('sleep 0.5'), { text: 'One.' }, { text: 'Two.' }]);
    await s.say('first');
    await s.until(() => ofKind(s, 'tool').length === 1);
    await s.say('second');
    await s.until(() => s.conversation.queue().messages.length === 1);
    await s.until(() => answers(s).length === 2);
    await s.idle();
    expect(said(s)).toEqual(['first', 'second']);
    expect(s.conversation.queue().messages).toEqual([]);
  });

  test('steer the running turn', async () => {
    await using s = await open([shell('sleep 0.5'), { text: 'Blue then.' }]);
    await s.say('red');
    await s.until(() => ofKind(s, 'tool').length === 1);
    await s.say('no, blue', 'steer');
    await s.idle();
    expect(ofKind(s, 'person').map(({ text, steer }) => [text, steer])).toEqual([
      ['red', undefined],
      ['no, blue', 'applied'],
    ]);
    expect(ofKind(s, 'end')).toHaveLength(1);
  });

  test('interrupt the running turn', async () => {
    await using s = await open([HANGS, { text: 'Instead.' }]);
    await s.say('red');
    await s.until(() => answers(s).length === 1);
    await s.say('stop, do this', 'interrupt');
    await s.idle();
    expect(ofKind(s, 'end').map(({ outcome }) => outcome)).toEqual(['stopped', 'done']);
    expect(answers(s)).toEqual(['I begin. ', 'Instead.']);
  });

  test('a turn is stopped, and the next one goes on', async () => {
    await using s = await open([HANGS, { text: 'Again.' }]);
    await s.conversation.stop();
    await s.say('red');
    await s.until(() => answers(s).length === 1);
    await s.conversation.stop();
    await s.idle();
    expect(ofKind(s, 'end')).toMatchObject([{ outcome: 'stopped' }]);
    await s.say('again');
    await s.idle();
    expect(answers(s)).toEqual(['I begin. ', 'Again.']);
  });

  test('whose turn has not begun are called off, and come back', async () => {
    await using s = await open([{ text: 'Second.' }], { model: 'local:tiny' });
    writeFileSync(join(s.b.project.path, 'tiny.gguf'), tinyModel());
    expect((await s.b.run(['local', 'import', 'tiny.gguf', 'tiny'])).exit).toBe(0);
    const saying = Promise.all([s.say('first'), s.say('and more')]);
    await s.until(() => s.conversation.sending() !== undefined);
    expect(await s.conversation.stop()).toBe('first\nand more');
    await saying;
    expect(s.conversation.isBusy()).toBe(false);
    expect(await s.host.services.sessions.list()).toEqual([]);
    await s.conversation.change({ model: 'ollama:tiny' });
    await s.say('second');
    await s.idle();
    expect(said(s)).toEqual(['second']);
  });

  test('that were handed over already begin a turn, which ends at once', async () => {
    await using s = await open([HANGS, HANGS]);
    const saying = s.say('first');
    await s.until(() => s.conversation.sending() !== undefined);
    const words = await s.conversation.stop();
    await saying;
    await s.idle();
    // Whichever came first: called off, or begun and stopped.
    expect(words === 'first' ? [] : ['stopped']).toEqual(ofKind(s, 'end').map(({ outcome }) => outcome));
    const again = s.say('again');
    await s.until(() => ofKind(s, 'person').length > (words === undefined ? 1 : 0));
    expect(await s.conversation.stop()).toBeUndefined();
    await again;
    await s.idle();
    expect(ofKind(s, 'end').at(-1)).toMatchObject({ outcome: 'stopped' });
  });

  test('without a model nothing begins, and the words are not lost', async () => {
    await using s = await open([], { model: undefined });
    await expect(s.say('first')).rejects.toMatchObject({ code: 'MODEL_ID_INVALID' });
    expect(s.conversation.sessionId()).toBeUndefined();
    expect(s.conversation.isBusy()).toBe(false);
  });
});

describe('cards', () => {
  const onRequest = { level: 'On request' } as const;

  test('a command runs once it is allowed, and the next is asked again', async () => {
    await using s = await open([shell('echo one'), shell('echo two'), { text: 'Done.' }], onRequest);
    await s.say('go');
    await s.until(() => s.conversation.request() !== undefined);
    expect(s.conversation.request()).toMatchObject({
      kind: 'approval',
      action: { tipo: 'shell', comando: 'echo one' },
    });
    expect(s.called).toEqual(['request']);
    await s.conversation.respond({ kind: 'approval', choice: 'once' });
    await s.until(() => s.conversation.request() !== undefined);
    await s.conversation.respond({ kind: 'approval', choice: 'deny-once' });
    await s.idle();
    expect(ofKind(s, 'tool').map(({ approval }) => approval)).toEqual(['allowed', 'denied']);
  });

  test('allowed for the session, nothing is asked again', async () => {
    await using s = await open([shell('echo one'), shell('echo two'), { text: 'Done.' }], onRequest);
    await s.say('go');
    await s.until(() => s.conversation.request() !== undefined);
    await s.conversation.respond({ kind: 'approval', choice: 'session' });
    await s.idle();
    expect(ofKind(s, 'tool').map(({ outcome }) => outcome?.exitCode)).toEqual([0, 0]);
    expect(s.called).toEqual(['request', 'turn-over']);
  });

  test.each([
    ['always', 'allow', 0],
    ['deny-always', 'deny', undefined],
  ] as const)('answered %s, a rule is kept for this project and answers the next', async (choice, list, exitCode) => {
    await using s = await open([shell('echo one'), shell('echo one'), { text: 'Done.' }], onRequest);
    await s.say('go');
    await s.until(() => s.conversation.request() !== undefined);
    await s.conversation.respond({ kind: 'approval', choice });
    await s.idle();
    expect(ofKind(s, 'tool').map(({ outcome }) => outcome?.exitCode)).toEqual([exitCode, exitCode]);
    const io = { env: s.b.env, cwd: s.b.project.path, home: s.b.env.HOME } as unknown as Io;
    expect(readConfig(io, s.b.project.path).permissionRules[list]).toEqual(['Bash(echo one)']);
  });

  test('a file that is to be overwritten is shown beside what it will be', async () => {
    const write: Reply = { toolCalls: [{ name: 'scrivi', arguments: { percorso: 'a.txt', contenuto: 'new\n' } }] };
    await using s = await open([write, { text: 'Done.' }], onRequest, { 'a.txt': 'old\n' });
    await s.say('go');
    await s.until(() => s.conversation.request() !== undefined);
    expect(s.conversation.request()).toMatchObject({ kind: 'approval', before: 'old\n' });
    await s.conversation.respond({ kind: 'approval', choice: 'once' });
    await s.idle();
    expect(ofKind(s, 'tool')[0]?.changes).toMatchObject([{ path: 'a.txt', before: 'old\n', after: 'new\n' }]);
  });

  test('in the mode that never asks they are denied', async () => {
    await using s = await open([shell('echo one'), { text: 'Done.' }], { ...onRequest, isUnattended: true });
    await s.say('go');
    await s.idle();
    expect(ofKind(s, 'tool')).toMatchObject([{ approval: 'denied' }]);
    expect(s.called).toEqual(['turn-over']);
  });

  test('a question is answered, or left to the agent', async () => {
    const questions = [{ id: 'colour', question: 'Which colour?', why: 'To know.' }];
    const ask: Reply = { toolCalls: [{ name: 'ask_user', arguments: { questions } }] };
    await using s = await open([ask, ask, { text: 'Done.' }]);
    await s.say('go');
    await s.until(() => s.conversation.request()?.kind === 'questions');
    await s.conversation.respond({ kind: 'questions', answers: { colour: 'blue' } });
    await s.until(() => ofKind(s, 'question').length === 2 && s.conversation.request() !== undefined);
    await s.conversation.respond({ kind: 'questions', answers: undefined });
    await s.idle();
    expect(ofKind(s, 'question').map(({ state, answers: given }) => [state, given])).toEqual([
      ['answered', { colour: 'blue' }],
      ['skipped', {}],
    ]);
  });

  test('a plan is carried out, and the session leaves plan mode', async () => {
    const plan: Reply = { toolCalls: [{ name: 'present_plan', arguments: { plan: '# Plan\n\nDo it.' } }] };
    await using s = await open([plan, { text: 'Done.' }], { mode: 'plan' });
    await s.say('go');
    await s.until(() => s.conversation.request()?.kind === 'plan');
    expect(s.conversation.request()).toMatchObject({ content: '# Plan\n\nDo it.' });
    await s.conversation.respond({ kind: 'plan', choice: { decision: 'procedi-accetta-modifiche' } });
    await s.idle();
    await s.until(() => s.conversation.choice().mode === 'normal');
    expect(ofKind(s, 'plan')).toMatchObject([{ state: 'approved' }]);
    expect(answers(s)).toEqual(['Done.']);
  });

  test('what an agent of the agent asks is asked here', async () => {
    const script: Script = ({ body }) => {
      const text = JSON.stringify((body as { messages: unknown[] }).messages);
      if (text.includes('"role":"tool"')) return { text: 'Done.' };
      if (text.includes('look around')) return shell('echo from-the-child');
      return { toolCalls: [{ name: 'delega_sottotask', arguments: { task: 'look around' } }] };
    };
    await using s = await open(script, onRequest);
    await s.say('go');
    await s.until(() => s.conversation.request() !== undefined);
    expect(s.conversation.agents()).toMatchObject([{ task: 'look around', isRunning: true }]);
    expect(s.conversation.request()).toMatchObject({
      agentTask: 'look around',
      action: { comando: 'echo from-the-child' },
    });
    await s.conversation.respond({ kind: 'approval', choice: 'once' });
    await s.idle();
    expect(ofKind(s, 'tool')).toMatchObject([{ name: 'delega_sottotask', isOver: true }]);
  });
});

describe('settings', () => {
  test('hold for the session that begins next, then for the one that runs', async () => {
    await using s = await open([{ text: 'One.' }]);
    await s.conversation.change({ level: 'Read only' });
    await s.say('first');
    await s.idle();
    const id = s.conversation.sessionId() ?? '';
    const { sessions } = s.host.services;
    expect((await sessions.read(id)).settings).toMatchObject({ permissions: 'Read only' });
    await s.conversation.change({ level: 'On request', effort: 'low' });
    expect((await sessions.read(id)).settings).toMatchObject({
      permissions: 'On request',
      reasoning: { effort: 'low' },
    });
    expect(s.conversation.choice()).toMatchObject({ level: 'On request', effort: 'low' });
  });
});

describe('other conversations', () => {
  test('a session is left, and opened again as it was', async () => {
    await using s = await open([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]);
    await s.say('first');
    await s.idle();
    const id = s.conversation.sessionId() ?? '';
    await s.conversation.leave();
    expect(s.conversation.state().items).toEqual([]);
    await s.say('other');
    await s.idle();
    expect(s.conversation.sessionId()).not.toBe(id);
    await s.conversation.open(id);
    expect(answers(s)).toEqual(['One.']);
    await s.say('more');
    await s.idle();
    expect(answers(s)).toEqual(['One.', 'Three.']);
  });

  test('a copy of one goes on by itself', async () => {
    await using s = await open([{ text: 'One.' }, { text: 'Two.' }]);
    await s.say('first');
    await s.idle();
    const id = s.conversation.sessionId() ?? '';
    const copy = await s.host.services.sessions.editing.fork(id);
    await s.conversation.open(copy.sessionId);
    await s.say('more');
    await s.idle();
    expect(answers(s)).toEqual(['One.', 'Two.']);
    expect((await s.host.services.sessions.read(id)).lastSeq).toBeLessThan(s.conversation.state().lastSequence);
  });

  test('one that is not there is told', async () => {
    await using s = await open([]);
    await expect(s.conversation.open('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

test('a command of one’s own runs beside the turn, with what it prints', async () => {
  await using s = await open([{ text: 'One.' }]);
  await s.say('first');
  await s.idle();
  await s.conversation.runOwn('echo hi; exit 3');
  await s.until(() => ofKind(s, 'command').some(({ isOver }) => isOver));
  expect(ofKind(s, 'command')).toMatchObject([{ command: 'echo hi; exit 3', output: 'hi\n', exitCode: 3 }]);
});

test('a command of one’s own may come before the first words, which go on in its session', async () => {
  await using s = await open([{ text: 'One.' }]);
  await Promise.all([s.conversation.runOwn('echo one'), s.conversation.runOwn('echo two')]);
  await s.until(() => ofKind(s, 'command').filter(({ isOver }) => isOver).length === 2);
  expect(ofKind(s, 'command').map(({ output }) => output)).toEqual(['one\n', 'two\n']);
  expect(s.conversation.isBusy()).toBe(false);
  await s.say('first');
  await s.idle();
  expect(answers(s)).toEqual(['One.']);
  expect(s.b.model.requests).toHaveLength(1);
  const rows = await s.host.services.sessions.list();
  expect(rows.map(({ name, outcome }) => [name, outcome])).toEqual([['!echo one', 'finished']]);
  expect(s.failures).toEqual([]);
});

describe('a session that another process runs', () => {
  test('is seen as it goes on; it takes words in its queue, and no other', async () => {
    await using s = await open([shell('sleep 1.5; echo ready'), { text: 'One.' }, { text: 'Two.' }]);
    await s.say('first');
    await using other = await s.another();
    await other.conversation.open(s.conversation.sessionId() ?? '');
    expect(said(other)).toEqual(['first']);
    expect(other.conversation.isElsewhere()).toBe(true);
    expect(s.conversation.isElsewhere()).toBe(false);
    await expect(other.say('no, blue', 'steer')).rejects.toMatchObject({ code: 'SESSION_STORE_BUSY' });
    await expect(other.conversation.stop()).rejects.toMatchObject({ code: 'SESSION_STORE_BUSY' });
    await other.say('second');
    await other.idle();
    expect(answers(other)).toEqual(['One.', 'Two.']);
    expect(answers(s)).toEqual(['One.', 'Two.']);
  });

  test('asks there, not here', async () => {
    await using s = await open([shell('echo one'), { text: 'Done.' }], { level: 'On request' });
    await s.say('first');
    await s.until(() => s.conversation.request() !== undefined);
    await using other = await s.another();
    await other.conversation.open(s.conversation.sessionId() ?? '');
    expect(other.conversation.request()).toBeUndefined();
    await s.conversation.respond({ kind: 'approval', choice: 'once' });
    await other.idle();
    expect(ofKind(other, 'tool')).toMatchObject([{ approval: 'allowed' }]);
  });
});
