import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Reply, type Script, tinyModel } from '@fucina/testkit';
import { describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '../src/config/config.ts';
import type { Io } from '../src/io.ts';
import { answers, type OpenConversation, ofKind, open, said, shell } from './conversation-fixture.ts';

/** The model is silent until it is stopped. */
const HANGS: Reply = { text: ['I begin. ', 'I go on.'], fault: { kind: 'hang-mid-stream' } };
/** A command that runs until `letGo`. */
const UNTIL_GO = 'until [ -e go ]; do sleep 0.02; done';
const letGo = ({ computer }: OpenConversation): void => writeFileSync(join(computer.project.path, 'go'), '');

describe('messages', () => {
  test('the first one creates the session with the chosen options, and later ones continue it', async () => {
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

  test('report a turn that ends before its events are read', async () => {
    await using s = await open([{ text: 'One.' }]);
    const { sessions } = s.host.services;
    const { follow } = sessions;
    jest.spyOn(sessions, 'follow').mockImplementation(async function* (sessionId, ...rest) {
      await sessions.turns.settled(sessionId);
      yield* follow(sessionId, ...rest);
    });
    await s.say('first');
    await s.idle();
    expect(answers(s)).toEqual(['One.']);
    expect(s.called).toEqual(['turn-over']);
  });

  test('sent in quick succession arrive in order in one session', async () => {
    await using s = await open([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]);
    await Promise.all(['first', 'second', 'third'].map((words) => s.say(words)));
    await s.until(() => answers(s).length === 3);
    await s.idle();
    expect(said(s)).toEqual(['first', 'second', 'third']);
    expect(s.failures).toEqual([]);
  });

  test('a failed message does not block the next', async () => {
    await using s = await open([{ text: 'Two.' }], { model: undefined });
    await expect(s.say('first')).rejects.toMatchObject({ reason: 'no-default-model' });
    await s.conversation.change({ model: 'ollama:tiny' });
    await s.say('second');
    await s.idle();
    expect(said(s)).toEqual(['second']);
  });

  test('sent while a turn runs wait for its end', async () => {
    await using s = await open([shell(UNTIL_GO), { text: 'One.' }, { text: 'Two.' }]);
    await s.say('first');
    await s.until(() => ofKind(s, 'tool').length === 1);
    await s.say('second');
    await s.until(() => s.conversation.queue().messages.length === 1);
    letGo(s);
    await s.until(() => answers(s).length === 2);
    await s.idle();
    expect(said(s)).toEqual(['first', 'second']);
    expect(s.conversation.queue().messages).toEqual([]);
  });

  test('steer the running turn', async () => {
    await using s = await open([shell(UNTIL_GO), { text: 'Blue then.' }]);
    await s.say('red');
    await s.until(() => ofKind(s, 'tool').length === 1);
    await s.say('no, blue', 'steer');
    letGo(s);
    await s.idle();
    expect(ofKind(s, 'user').map(({ text, steer }) => [text, steer])).toEqual([
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

  test('stopping a turn lets the next one start', async () => {
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

  test('of a turn that has not started are cancelled and restored', async () => {
    await using s = await open([{ text: 'Second.' }], { model: 'local:tiny' });
    writeFileSync(join(s.computer.project.path, 'tiny.gguf'), tinyModel());
    expect((await s.computer.run(['local', 'import', 'tiny.gguf', 'tiny'])).exit).toBe(0);
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

  test('sent just before Esc start a turn that ends at once', async () => {
    await using s = await open([HANGS, HANGS]);
    const saying = s.say('first');
    await s.until(() => s.conversation.sending() !== undefined);
    const words = await s.conversation.stop();
    await saying;
    await s.idle();
    // Whichever came first: cancelled, or started and stopped.
    expect(words === 'first' ? [] : ['stopped']).toEqual(ofKind(s, 'end').map(({ outcome }) => outcome));
    const again = s.say('again');
    await s.until(() => ofKind(s, 'user').length > (words === undefined ? 1 : 0));
    expect(await s.conversation.stop()).toBeUndefined();
    await again;
    await s.idle();
    expect(ofKind(s, 'end').at(-1)).toMatchObject({ outcome: 'stopped' });
  });

  test('without a model start no turn and stay in the composer', async () => {
    await using s = await open([], { model: undefined });
    await expect(s.say('first')).rejects.toMatchObject({ code: 'MODEL_ID_INVALID' });
    expect(s.conversation.sessionId()).toBeUndefined();
    expect(s.conversation.isBusy()).toBe(false);
  });
});

describe('approval cards', () => {
  const onRequest = { level: 'On request' } as const;

  test('a command runs after approval, and the next one asks again', async () => {
    await using s = await open([shell('echo one'), shell('echo two'), { text: 'Done.' }], onRequest);
    await s.say('go');
    await s.until(() => s.conversation.request() !== undefined);
    expect(s.conversation.request()).toMatchObject({
      kind: 'approval',
      action: { kind: 'shell', command: 'echo one' },
    });
    expect(s.called).toEqual(['request']);
    await s.conversation.respond({ kind: 'approval', choice: 'once' });
    await s.until(() => s.conversation.request() !== undefined);
    await s.conversation.respond({ kind: 'approval', choice: 'deny-once' });
    await s.idle();
    expect(ofKind(s, 'tool').map(({ approval }) => approval)).toEqual(['allowed', 'denied']);
  });

  test('an approval for the session covers later calls', async () => {
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
  ] as const)(
    'answering %s saves a rule for this project that covers the next call',
    async (choice, list, exitCode) => {
      await using s = await open([shell('echo one'), shell('echo one'), { text: 'Done.' }], onRequest);
      await s.say('go');
      await s.until(() => s.conversation.request() !== undefined);
      await s.conversation.respond({ kind: 'approval', choice });
      await s.idle();
      expect(ofKind(s, 'tool').map(({ outcome }) => outcome?.exitCode)).toEqual([exitCode, exitCode]);
      const io = { env: s.computer.env, cwd: s.computer.project.path, home: s.computer.env.HOME } as unknown as Io;
      expect(readConfig(io, s.computer.project.path).permissionRules[list]).toEqual(['Bash(echo one)']);
    },
  );

  // A name of this computer: no other address is looked up or reached, whether allowed or not.
  const connect = shell(`curl -s --max-time 20 http://${hostname()}:9/`);

  test.each(['session', 'always'] as const)('answered %s, a host is asked for once', async (choice) => {
    await using s = await open([connect, connect, { text: 'Done.' }], { level: 'Workspace write' });
    await s.say('go');
    await s.until(() => s.conversation.request() !== undefined);
    expect(s.conversation.request()).toMatchObject({ action: { kind: 'network', port: 9, program: 'curl' } });
    await s.conversation.respond({ kind: 'approval', choice });
    await s.idle();
    expect(s.called).toEqual(['request', 'turn-over']);
    // The server shows the same rule.
    const { rules } = JSON.parse((await s.computer.run(['sandbox', 'rules', '--json'])).stdout);
    expect(rules.map(({ rule }: { rule: string }) => rule)).toEqual(
      choice === 'always' ? [`Network(${hostname().toLowerCase()})`] : [],
    );
  });

  test('overwriting a file shows its current and new content', async () => {
    const file = { percorso: 'a.txt' };
    const write = { name: 'scrivi', arguments: { ...file, contenuto: 'new\n' } };
    const script: Reply[] = [{ toolCalls: [{ name: 'leggi', arguments: file }, write] }, { text: 'Done.' }];
    await using s = await open(script, onRequest, { 'a.txt': 'old\n' });
    await s.say('go');
    await s.until(() => s.conversation.request() !== undefined);
    expect(s.conversation.request()).toMatchObject({ kind: 'approval', before: 'old\n' });
    await s.conversation.respond({ kind: 'approval', choice: 'once' });
    await s.idle();
    expect(ofKind(s, 'tool')[1]?.changes).toMatchObject([{ path: 'a.txt', before: 'old\n', after: 'new\n' }]);
  });

  test('calls are denied in dontAsk mode', async () => {
    await using s = await open([shell('echo one'), { text: 'Done.' }], { ...onRequest, isUnattended: true });
    await s.say('go');
    await s.idle();
    expect(ofKind(s, 'tool')).toMatchObject([{ approval: 'denied' }]);
    expect(s.called).toEqual(['turn-over']);
  });

  test('a question can be answered or left to the agent', async () => {
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

  test('an approved plan runs, and the session leaves plan mode', async () => {
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

  test('a request of a sub-agent is shown in the parent session', async () => {
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
      action: { command: 'echo from-the-child' },
    });
    await s.conversation.respond({ kind: 'approval', choice: 'once' });
    await s.idle();
    expect(ofKind(s, 'tool')).toMatchObject([{ name: 'delega_sottotask', isOver: true }]);
  });
});

describe('session settings', () => {
  test('apply to the next session, then to the running one', async () => {
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

describe('switching sessions', () => {
  test('a session can be left and reopened unchanged', async () => {
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

  test('a fork continues on its own', async () => {
    await using s = await open([{ text: 'One.' }, { text: 'Two.' }]);
    await s.say('first');
    await s.idle();
    const id = s.conversation.sessionId() ?? '';
    const copy = await s.host.services.sessions.branches.fork(id);
    await s.conversation.open(copy.sessionId);
    await s.say('more');
    await s.idle();
    expect(answers(s)).toEqual(['One.', 'Two.']);
    expect((await s.host.services.sessions.read(id)).lastSeq).toBeLessThan(s.conversation.state().lastSequence);
  });

  test('an unknown session is reported', async () => {
    await using s = await open([]);
    await expect(s.conversation.open('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

test('a user’s shell command runs during a turn and shows its output', async () => {
  await using s = await open([{ text: 'One.' }]);
  await s.say('first');
  await s.idle();
  await s.conversation.runOwn('echo hi; exit 3');
  await s.until(() => ofKind(s, 'command').some(({ isOver }) => isOver));
  expect(ofKind(s, 'command')).toMatchObject([{ command: 'echo hi; exit 3', output: 'hi\n', exitCode: 3 }]);
});

test('a user’s shell command can run before the first prompt, which uses the same session', async () => {
  await using s = await open([{ text: 'One.' }]);
  await Promise.all([s.conversation.runOwn('echo one'), s.conversation.runOwn('echo two')]);
  await s.until(() => ofKind(s, 'command').filter(({ isOver }) => isOver).length === 2);
  expect(ofKind(s, 'command').map(({ output }) => output)).toEqual(['one\n', 'two\n']);
  expect(s.conversation.isBusy()).toBe(false);
  await s.say('first');
  await s.idle();
  expect(answers(s)).toEqual(['One.']);
  expect(s.computer.model.requests).toHaveLength(1);
  const rows = await s.host.services.sessions.list();
  expect(rows.map(({ name, outcome }) => [name, outcome])).toEqual([['!echo one', 'finished']]);
  expect(s.failures).toEqual([]);
});

describe('a session run by another process', () => {
  test('updates live and accepts only queued messages', async () => {
    await using s = await open([shell(UNTIL_GO), { text: 'One.' }, { text: 'Two.' }]);
    await s.say('first');
    await using other = await s.another();
    await other.conversation.open(s.conversation.sessionId() ?? '');
    expect(said(other)).toEqual(['first']);
    expect(other.conversation.isElsewhere()).toBe(true);
    expect(s.conversation.isElsewhere()).toBe(false);
    await expect(other.say('no, blue', 'steer')).rejects.toMatchObject({ code: 'SESSION_STORE_BUSY' });
    await expect(other.conversation.stop()).rejects.toMatchObject({ code: 'SESSION_STORE_BUSY' });
    await other.say('second');
    letGo(s);
    await other.idle();
    expect(answers(other)).toEqual(['One.', 'Two.']);
    expect(answers(s)).toEqual(['One.', 'Two.']);
  });

  test('shows its requests in the other process, not here', async () => {
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
