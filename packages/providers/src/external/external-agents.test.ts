import { readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExternalPlan, ExternalToolCall, ExternalTurn, ModelEvent, ModelMessage } from '@fucina/shared';
import { systemAmbient } from '@fucina/shared';
import { type AgentScript, scriptedAgent, type TempDir, tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createHarness, failureIn, type Harness, textOf } from '../../test/harness.ts';

interface Place extends AsyncDisposable {
  harness: Harness;
  dir: TempDir;
  calls: ExternalToolCall[];
  plans: ExternalPlan[];
  turn: ExternalTurn;
  ask(text: string | readonly ModelMessage[], signal?: AbortSignal): Promise<ModelEvent[]>;
}

const user = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const agentSaid = (text: string): ModelMessage => ({ role: 'assistant', parts: [{ type: 'text', text }] });

/** A session whose gate allows what `allows` returns. */
async function place(script: AgentScript, allows: (what: string) => boolean = () => true): Promise<Place> {
  const dir = await tempDir();
  const folder = await realpath(dir.path);
  const ambient = systemAmbient('silent');
  const harness = await createHarness({ needs: { environment: process.env, ambient } });
  harness.providers.runtime.change('esterno', { agent: { ...scriptedAgent(script), settings: { colour: 'red' } } });
  const calls: ExternalToolCall[] = [];
  const plans: ExternalPlan[] = [];
  const turn: ExternalTurn = {
    sessionId: 'session-1',
    folder,
    async runTool(call) {
      calls.push(call);
      if (!allows(call.name)) return { content: 'The user did not allow this.', isError: true };
      if (call.name === 'shell')
        return { content: `ran ${String(call.arguments['comando'])}`, isError: false, exitCode: 3 };
      await writeFile(join(folder, String(call.arguments['percorso'])), String(call.arguments['contenuto']));
      return { content: 'Written.', isError: false };
    },
    async mayDo(plan) {
      plans.push(plan);
      return allows(plan.effect);
    },
  };
  return {
    harness,
    dir,
    calls,
    plans,
    turn,
    ask: (text, signal) =>
      harness.ask(
        'esterno:agente',
        { messages: typeof text === 'string' ? [user(text)] : text, external: turn },
        signal,
      ),
    async [Symbol.asyncDispose]() {
      await harness[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

describe('the external agent', () => {
  test('streams text, reasoning, plan, mode and tool calls', async () => {
    await using at = await place({
      turns: [
        [
          { think: 'hm' },
          { plan: ['look', 'fix'] },
          { mode: 'code' },
          { call: 'Searching' },
          { say: 'It is ' },
          { say: 'there.' },
        ],
      ],
    });
    const events = await at.ask('Where?');
    expect(textOf(events)).toBe('It is there.');
    expect(textOf(events, 'reasoning')).toBe('hm\n[ ] look\n[ ] fix\n\n• Mode: code\n\n• Searching\n');
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    expect(at.calls).toEqual([]);
  });

  test('reports the tokens of each turn, and by how much its cost has grown', async () => {
    const tokens = { totalTokens: 160, inputTokens: 100, outputTokens: 20, cachedReadTokens: 40 };
    await using at = await place({
      turns: [
        [{ say: 'a' }, { usage: { ...tokens, costUsd: 0.5 } }],
        [{ say: 'b' }, { usage: { ...tokens, totalTokens: 120, costUsd: 0.75 } }],
        [{ say: 'c' }],
      ],
    });
    const usageIn = async (messages: readonly ModelMessage[]) =>
      (await at.ask(messages)).filter(({ type }) => type === 'usage').map((event) => 'usage' in event && event.usage);
    const talk = [user('one'), agentSaid('a'), user('two'), agentSaid('b'), user('three')];
    const turn = { completionTokens: 20, cachedTokens: 40 };
    expect(await usageIn(talk.slice(0, 1))).toEqual([{ ...turn, promptTokens: 140, declaredCostUsd: 0.5 }]);
    expect(await usageIn(talk.slice(0, 3))).toEqual([{ ...turn, promptTokens: 100, declaredCostUsd: 0.25 }]);
    expect(await usageIn(talk)).toEqual([]);
  });

  test('gets only new messages in later turns', async () => {
    await using at = await place({ turns: [[{ echo: true }], [{ echo: true }]] });
    expect(textOf(await at.ask('first'))).toBe('first');
    expect(textOf(await at.ask([user('first'), agentSaid('first'), user('second')]))).toBe('second');
  });

  test('gets the history when it joins a conversation', async () => {
    await using at = await place({ turns: [[{ echo: true }]] });
    const said = textOf(await at.ask([user('first'), agentSaid('answer'), user('second')]));
    expect(said).toContain('[user] first\n\n[you] answer');
    expect(said.endsWith('|second')).toBe(true);
  });

  test('restarts when the conversation or its settings change', async () => {
    await using at = await place({ turns: [[{ echo: true }]] });
    await at.ask([user('first'), agentSaid('x'), user('second')]);
    expect(textOf(await at.ask('first'))).toBe('first');
    at.harness.providers.runtime.change('esterno', { agent: scriptedAgent({ turns: [[{ say: 'another' }]] }) });
    expect(textOf(await at.ask([user('first'), agentSaid('x'), user('more')]))).toBe('another');
  });

  test('gets images if it supports them', async () => {
    const picture: ModelMessage = {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image', mimeType: 'image/png', bytes: Uint8Array.of(1) },
      ],
    };
    for (const [images, said] of [
      [true, 'look|<image>'],
      [false, 'look|[a picture that this agent cannot see]'],
    ] as const) {
      await using at = await place({ images, turns: [[{ echo: true }]] });
      expect(textOf(await at.ask([picture]))).toBe(said);
    }
  });

  test('delivers a burst completely and in batches', async () => {
    await using at = await place({ turns: [[{ flood: 5_000 }]] });
    expect(textOf(await at.ask('x'))).toHaveLength(25_000);
  });
});

describe('a request of the external agent', () => {
  test('reads files inside the folder only', async () => {
    await using at = await place({
      turns: [
        [
          { read: 'a.txt' },
          { read: { path: 'a.txt', line: 2, limit: 1 } },
          { read: '/etc/hostname' },
          { read: '../x' },
          { read: 'missing.txt' },
          { read: 'link' },
        ],
      ],
    });
    await at.dir.write({ 'a.txt': 'one\ntwo\nthree' });
    const { symlink } = await import('node:fs/promises');
    await symlink('/etc/hostname', join(at.dir.path, 'link'));
    const said = textOf(await at.ask('read'));
    expect(said).toContain('read: one\ntwo\nthreeread: two');
    expect(said.match(/read failed/g)).toHaveLength(4);
  });

  test('writes through the session’s tool', async () => {
    await using at = await place({ turns: [[]] });
    const { folder } = at.turn;
    at.harness.providers.runtime.change('esterno', {
      agent: scriptedAgent({
        turns: [
          [{ write: { path: join(folder, 'b.txt'), content: 'new' } }, { write: { path: '/etc/x', content: 'no' } }],
        ],
      }),
    });
    expect(textOf(await at.ask('write'))).toBe('writtenwrite failed: Internal error');
    expect(await readFile(join(folder, 'b.txt'), 'utf8')).toBe('new');
    expect(at.calls.map(({ name, arguments: given }) => [name, given['percorso']])).toEqual([
      ['scrivi', 'b.txt'],
      ['scrivi', '/etc/x'],
    ]);
  });

  test('runs commands through the session’s tool, quoted for its shell', async () => {
    await using at = await place({
      turns: [
        [
          { run: { command: 'npm test' } },
          { run: { command: 'echo', args: ["it's", 'a b'], cwd: '/sub dir', env: [{ name: 'A', value: 'x y' }] } },
        ],
      ],
    });
    expect(textOf(await at.ask('run'))).toBe(
      "exit 3: ran npm testexit 3: ran cd '/sub dir' && A='x y' echo 'it'\\''s' 'a b'",
    );
  });

  test('comes back as refused when the session refuses it', async () => {
    await using at = await place(
      { turns: [[{ write: { path: 'a', content: 'x' } }, { run: { command: 'ls' } }]] },
      () => false,
    );
    expect(textOf(await at.ask('x'))).toBe(
      'write failed: Internal error: The user did not allow this.exit 126: The user did not allow this.',
    );
  });

  test.each([
    ['execute', { kind: 'execute', title: 'Run', rawInput: { command: ['rm', '-r', 'x'] } }, 'process', 'shell'],
    ['edit', { kind: 'edit', title: 'Edit', path: 'src/a.ts' }, 'write', 'file_edit'],
    ['read', { kind: 'read', title: 'Read' }, 'read', null],
    ['fetch', { kind: 'fetch', title: 'Fetch' }, 'network', null],
    ['nothing', { title: 'Odd' }, 'process', 'shell'],
    ['only its input', { title: 'Write', rawInput: { file_path: 'a', content: 'x' } }, 'write', 'file_edit'],
  ] as const)('to act by itself (%s) is decided by the session each time', async (name, permission, effect, gate) => {
    await using at = await place({ turns: [[{ permission }]] });
    expect(textOf(await at.ask('x'))).toBe('permission: allow_once');
    expect(at.plans).toMatchObject([{ effect, gate, action: { titolo: permission.title } }]);
    if (name === 'execute') expect(at.plans[0]?.action.comando).toBe('rm -r x');
    if (name === 'edit') expect(at.plans[0]?.action.percorso).toBe('src/a.ts');
  });

  test('that is denied is rejected, and gets no option when none fits', async () => {
    await using at = await place(
      {
        turns: [
          [
            { permission: { kind: 'execute', title: 'Run' } },
            { permission: { kind: 'execute', title: 'Run', options: ['allow_always'] } },
          ],
        ],
      },
      () => false,
    );
    expect(textOf(await at.ask('x'))).toBe('permission: reject_oncepermission: cancelled');
  });
});

describe('a failing external agent', () => {
  const failing = async (script: AgentScript) => {
    await using at = await place(script);
    return failureIn(await at.ask('x'));
  };

  test('is reported before it is started', async () => {
    await using harness = await createHarness();
    expect(failureIn(await harness.ask('esterno:agente'))).toMatchObject({ code: 'PROVIDER_RUNTIME_INVALID' });
    await using at = await place({ turns: [] });
    expect(failureIn(await at.harness.ask('esterno:agente'))).toMatchObject({ code: 'PROVIDER_RUNTIME_UNAVAILABLE' });
    at.harness.providers.runtime.change('esterno', { agent: { command: '/nonexistent/agent' } });
    expect(failureIn(await at.ask('x'))).toMatchObject({
      class: 'not-configured',
      code: 'PROVIDER_RUNTIME_UNAVAILABLE',
      isOutcomeKnown: true,
    });
    at.harness.providers.runtime.change('esterno', { agent: { command: process.execPath, args: ['-e', ''] } });
    expect(failureIn(await at.ask('x'))).toMatchObject({ code: 'PROVIDER_RUNTIME_UNAVAILABLE' });
  });

  test.each([
    ['to be greeted', { initialize: { error: -32_603 }, turns: [] }, 'PROVIDER_RUNTIME_UNAVAILABLE'],
    ['to speak the same version', { version: 99, turns: [] }, 'PROVIDER_RUNTIME_UNAVAILABLE'],
    ['a conversation', { newSession: { error: -32_603 }, turns: [] }, 'MODEL_CALL_FAILED'],
  ] as [string, AgentScript, string][])('rejects %s', async (_name, script, code) => {
    expect(await failing(script)).toMatchObject({ code, isOutcomeKnown: true });
  });

  test('asks to sign in', async () => {
    expect(await failing({ newSession: { error: -32_000 }, turns: [] })).toMatchObject({ class: 'credential' });
    expect(await failing({ turns: [[{ error: -32_000 }]] })).toMatchObject({ class: 'credential' });
  });

  test.each([
    ['ends', [{ say: 'a' }, { exit: 1 }]],
    ['answers with an error', [{ say: 'a' }, { error: -32_603 }]],
  ] as const)(
    '%s during a turn: the outcome is unknown, the text is kept, and the next turn works',
    async (_name, steps) => {
      await using at = await place({ turns: [steps] });
      const events = await at.ask('x');
      expect(textOf(events)).toBe('a');
      expect(failureIn(events)).toMatchObject({ class: 'stream-interrupted', code: 'PROVIDER_OUTCOME_UNKNOWN' });
      expect(failureIn(await at.ask('y'))).toBeTruthy();
    },
  );

  test.each([
    ['listens', { wait: true }],
    ['is deaf', { deaf: true }],
  ] as const)('and %s is stopped with the turn and leaves no process', async (_name, step) => {
    await using at = await place({ turns: [[{ say: 'working' }, step]] });
    const controller = new AbortController();
    const seen: ModelEvent[] = [];
    const request = { model: 'esterno:agente', system: [], messages: [user('x')], tools: [], external: at.turn };
    for await (const batch of at.harness.providers.client.stream(request, controller.signal)) {
      seen.push(...batch);
      if (textOf(seen) === 'working') controller.abort();
    }
    expect(failureIn(seen)).toMatchObject({ class: 'cancelled' });
  });

  test.each([
    ['max_tokens', 'length'],
    ['refusal', 'content-filter'],
  ] as const)('that stops for %s reports it', async (stop, reason) => {
    await using at = await place({ turns: [[{ stop }]] });
    expect((await at.ask('x')).at(-1)).toEqual({ type: 'finish', reason });
  });
});
