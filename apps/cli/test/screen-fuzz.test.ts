import { readEvent } from '@fucina/conversation/reader';
import type { SessionEvent } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type AppNeeds, createApp } from '../src/screen/app/app.ts';
import { uiSettings } from '../src/screen/app/ui-settings.ts';
import { createSessionReader } from '../src/screen/conversation/state.ts';
import { key } from '../src/screen/input/input.ts';
import { createKeymap } from '../src/screen/input/keymap.ts';
import { createPalette } from '../src/screen/render/palette.ts';
import { textWidth } from '../src/screen/render/width.ts';
import { createRequestPanel } from '../src/screen/requests/request-panel.ts';
import { createTerminal } from '../src/terminal.ts';

const HOSTILE = [
  '\x1b[2J',
  '\x1b]0;owned\x07',
  '\x1b]52;c;eA==\x07',
  '\x9b31m',
  '\u202e',
  '\u2066',
  '\0',
  '\x7f',
  '\ud83d',
  '\u200b',
  '\u2028',
  '\r',
  '\r\n',
  '\n',
  '\t',
  '日本語',
  '👩‍💻',
  'e\u0301',
  '```js\n',
  '| a | b |\n|---|---|\n| c |\n',
  '- x\n  - y\n',
  '> q\n',
  '# h\n',
  '**',
  '`',
  '[l](http://x)',
  'x'.repeat(300),
];
const text = fc
  .array(
    fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 4 })),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));
const id = fc.constantFrom('a', 'b', 'c');
const tool = fc.oneof(
  fc.constantFrom('shell', 'scrivi', 'file_edit', 'leggi', 'todo_write', 'delega_sottotask', 'ask_user'),
  text,
);

const event: fc.Arbitrary<SessionEvent> = fc.oneof(
  text.map((consegna) => ({
    type: 'RunStarted',
    threadId: 't',
    runId: 'r',
    input: { consegna },
    contesto: { progetto: consegna, cartella: consegna, branch: consegna },
  })),
  fc.constant({ type: 'RunFinished', threadId: 't', runId: 'r' }),
  fc.record({ type: fc.constant('RunError'), message: text, code: text, classe: fc.option(text, { nil: undefined }) }),
  fc.record({
    type: fc.constantFrom('TextMessageStart', 'TextMessageEnd', 'ReasoningMessageStart', 'ReasoningMessageEnd'),
    messageId: id,
  }),
  fc.record({ type: fc.constantFrom('TextMessageContent', 'ReasoningMessageContent'), messageId: id, delta: text }),
  fc.record({ type: fc.constant('ToolCallStart'), toolCallId: id, toolCallName: tool }),
  fc.record({ type: fc.constantFrom('ToolCallArgs', 'ToolCallOutput'), toolCallId: id, delta: text }),
  fc.record({
    type: fc.constant('ToolCallArgs'),
    toolCallId: id,
    delta: text.map((comando) => JSON.stringify({ comando, percorso: comando })),
  }),
  fc.record({
    type: fc.constant('ToolCallResult'),
    messageId: id,
    toolCallId: id,
    content: text,
    role: fc.constant('tool'),
    exitCode: fc.option(fc.nat(255), { nil: undefined }),
    stdout: text,
    comando: text,
  }),
  fc.record({
    type: fc.constant('StateDelta'),
    delta: fc
      .tuple(text, text, text)
      .map(([path, value, prima]) => [{ op: 'replace', path: `/file/${path}`, value, prima }]),
  }),
  fc.record({
    type: fc.constant('ApprovalRequested'),
    requestId: id,
    azione: fc.record({ tipo: tool, comando: text, percorso: text, contenuto: text, altro: text }),
  }),
  fc.record({ type: fc.constant('ApprovalResolved'), requestId: id, approvato: fc.boolean() }),
  fc.record({
    type: fc.constant('UserQuestionRequested'),
    requestId: id,
    questions: fc.array(
      fc.record({
        id,
        question: text,
        why: text,
        options: fc.array(fc.record({ label: text, description: text }), { maxLength: 3 }),
        multiSelect: fc.boolean(),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  }),
  fc.record({
    type: fc.constant('UserQuestionResolved'),
    requestId: id,
    status: fc.constantFrom('answered', 'skipped'),
    answers: fc.dictionary(id, text),
  }),
  fc.record({ type: fc.constant('QueuedMessageDelivered'), testo: text }),
  fc.record({ type: fc.constant('ComandoUtenteIniziato'), comandoId: id, comando: text }),
  fc.record({
    type: fc.constant('ComandoUtenteFinito'),
    comandoId: id,
    codice: fc.nat(3),
    errore: fc.option(text, { nil: undefined }),
  }),
  fc.record({
    type: fc.constant('CUSTOM'),
    name: fc.constant('svc.plan'),
    value: fc.record({
      requestId: id,
      hash: text,
      content: text,
      status: fc.constantFrom('proposed', 'approved', 'cancelled'),
    }),
  }),
  fc.record({
    type: fc.constant('CUSTOM'),
    name: fc.constant('svc.todo'),
    value: fc.record({
      items: fc.array(fc.record({ content: text, status: fc.constantFrom('pending', 'in_progress', 'completed') }), {
        maxLength: 3,
      }),
    }),
  }),
  fc.record({ type: fc.constant('ArtifactCreated'), messageId: id, id, titolo: text }),
) as unknown as fc.Arbitrary<SessionEvent>;

/** Only the escape codes of a palette. */
const OWN_CODES = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');
const RAW = /[\p{Cc}\p{Cs}\u200b\u2028\u202a-\u202e\u2066-\u2069]/u;

const EVERY_KEY = [
  key('o', { isCtrl: true }),
  key('t', { isCtrl: true }),
  key('r', { isAlt: true }),
  key('pageup'),
  key('pagedown'),
  key('2', { text: '2' }),
  key('v', { text: 'v' }),
  key('down'),
];

/** The whole screen over a conversation that consists only of its events; time stands still except for timers. */
function frames(
  events: readonly SessionEvent[],
  { width, height, env, branch }: { width: number; height: number; env: Record<string, string>; branch: string },
): (readonly string[])[] {
  const shown: (readonly string[])[] = [];
  const timers: (() => void)[] = [];
  let now = 0;
  const ambient = {
    now: () => now,
    monotonic: () => now,
    timer: (_ms: number, act: () => void) => (timers.push(act), () => undefined),
  };
  const terminal = createTerminal({ env, stdout: {}, stderr: {} } as never);
  const reader = createSessionReader();
  const keymap = createKeymap();
  const palette = createPalette({ env: { ...env, COLORTERM: 'truecolor' } });
  let panel: ReturnType<typeof createRequestPanel> | undefined;
  const conversation = {
    state: reader.state,
    sessionId: () => 's',
    isBusy: () => reader.state().isRunning,
    isElsewhere: () => false,
    sending: () => ({ text: branch, images: [] }),
    agents: () => [{ sessionId: 'x', task: branch, name: branch, state: 'running', startedAt: 0 }],
    request: () => (panel ? { kind: 'plan' } : undefined),
    context: () => ({ usedTokens: 900, parts: [], window: { tokens: 1_000, isAssumed: false, triggerTokens: 750 } }),
    queue: () => ({ messages: [{ id: '1', text: branch }], isPaused: false }),
    choice: () => ({ model: branch, effort: undefined, level: 'On request', mode: 'normal' }),
  };
  const app = createApp({
    terminal,
    ambient,
    ui: uiSettings({ values: new Map() }, env),
    conversation,
    keymap,
    palette: () => palette,
    highlighter: { highlight: () => undefined, version: () => 0 },
    folder: 'folder',
    size: () => ({ width, height }),
    show: (rows: readonly string[]) => void shown.push(rows),
    composer: () => ({ draw: () => ({ lines: [] }), take: () => false, isEmpty: () => true }),
    panel: () => panel,
    act: () => false,
    exit: () => undefined,
    failed: (error: unknown) => {
      throw error;
    },
  } as unknown as AppNeeds);
  const settle = (): void => {
    now += 1_000;
    for (const act of timers.splice(0)) act();
  };
  app.opened();
  for (const [index, one] of events.entries()) {
    reader.take([{ ...readEvent({ ...one, _sequenza: index + 1 }), storedAt: index }]);
    const { pending } = reader.state();
    const request = pending && (pending.kind === 'approval' ? { ...pending, folder: branch, before: branch } : pending);
    panel =
      request &&
      createRequestPanel(request, {
        terminal,
        ambient,
        keymap,
        highlight: () => undefined,
        isComposerEmpty: () => true,
        changed: app.changed,
        page: app.page,
        rules: async () => [branch],
        respond: async () => undefined,
      } as never);
    app.changed();
    settle();
    if (index % 3 === 0) app.take(EVERY_KEY[index % EVERY_KEY.length] ?? key('down'));
    settle();
  }
  app.close();
  return shown;
}

test('random input never prints raw control characters or a row wider than the screen', () => {
  fc.assert(
    fc.property(
      fc.array(event, { minLength: 1, maxLength: 14 }),
      fc.integer({ min: 12, max: 110 }),
      fc.integer({ min: 6, max: 40 }),
      fc.record({ env: fc.constantFrom<Record<string, string>>({}, { LANG: 'it_IT' }), branch: text }),
      (events, width, height, { env, branch }) => {
        const all = frames(events, { width, height, env, branch });
        expect(all.length).toBeGreaterThan(0);
        for (const rows of all) {
          expect(rows.length).toBeLessThanOrEqual(height);
          for (const row of rows) {
            const bare = row.replace(OWN_CODES, '');
            expect(bare).not.toMatch(RAW);
            if (textWidth(bare) > width) throw new Error(JSON.stringify(row));
          }
        }
      },
    ),
    { numRuns: Number(process.env.FUCINA_FUZZ_RUNS ?? 150) },
  );
});
