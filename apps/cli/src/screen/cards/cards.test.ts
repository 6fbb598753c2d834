import { itemOf, outcomeOf } from '@fucina/conversation/testing';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { duration } from '../../duration.ts';
import { translatorFor } from '../../words/index.ts';
import type { ScreenItem } from '../conversation/state.ts';
import type { Line } from '../line.ts';
import { createHighlighter } from '../render/highlight.ts';
import { lineWidth } from '../render/width.ts';
import { type CardLook, shortCount } from './card.ts';
import { createItemDrawer } from './draw-item.ts';

const lookOf = (width: number, more: Partial<CardLook> = {}): CardLook => ({
  width,
  proseWidth: width,
  say: translatorFor('en'),
  isMarkdown: true,
  highlighter: createHighlighter(() => undefined),
  showsReasoning: false,
  isUnfolded: false,
  ...more,
});
const plain = (lines: readonly Line[]): string[] =>
  lines.map((line) =>
    line
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );
const draw = (item: ScreenItem, look = lookOf(80), isUnfolded = false): string[] =>
  plain(createItemDrawer('en').draw(item, look, isUnfolded));

const TOOL = itemOf('tool', {
  key: 'c',
  args: '{"comando":"npm test"}',
  outcome: outcomeOf({ content: 'ok', durationMs: 2_345, command: 'npm test', exitCode: 0 }),
});

describe('a tool call', () => {
  test('is one line with its subject and its result', () => {
    expect(draw(TOOL)).toEqual([`✓ Ran  npm test${' '.repeat(80 - 20)}2.3 s`]);
    const failed = { ...TOOL, outcome: { ...TOOL.outcome, exitCode: 1 } } as ScreenItem;
    expect(draw(failed)[0]).toMatch(/^✗ Ran {2}npm test +exit 1 · 2\.3 s$/);
    const cut = outcomeOf({ content: 'Stopped.', isFailed: true, isInterrupted: true });
    expect(draw({ ...TOOL, outcome: cut })[0]).toMatch(/^✗ .* stopped$/);
    expect(draw({ ...TOOL, approval: 'denied' })[0]).toMatch(/^✗ .* denied · 2\.3 s$/);
    const stopped = { ...TOOL, outcome: { ...TOOL.outcome, exitCode: undefined } } as ScreenItem;
    expect(draw(stopped)[0]).toMatch(/^✗ .* stopped · 2\.3 s$/);
  });

  test('waits for the calls before it', () => {
    const queued = { ...TOOL, isQueued: true, isOver: false, outcome: undefined };
    expect(draw(queued)[0]).toMatch(/^● Running {2}npm test +waiting$/);
  });

  test('is stopped with its agent', () => {
    const agent = { ...TOOL, name: 'delega_sottotask', args: '{"task":"Look around"}' };
    const report = (outcome: string) => outcomeOf({ content: `Report.\n${JSON.stringify({ childId: 'c', outcome })}` });
    expect(draw({ ...agent, outcome: report('stopped') })).toEqual([expect.stringMatching(/^✗ .* stopped$/)]);
    expect(draw({ ...agent, outcome: report('finished') })[0]).toMatch(/^✓ /);
  });

  test('shows why it failed while folded', () => {
    const content = 'vecchio does not occur in a.ts: percorso is right';
    const edit = {
      ...TOOL,
      name: 'file_edit',
      args: '{"percorso":"a.ts"}',
      outcome: { ...TOOL.outcome, content, command: undefined, exitCode: undefined, isFailed: true },
    } as ScreenItem;
    expect(draw(edit).slice(1)).toEqual(['  old text does not occur in a.ts: file is right']);
    const output = 'one\ntwo\nthree\nfour\nfive\n';
    const command = { ...TOOL, output, outcome: { ...TOOL.outcome, exitCode: 1 } } as ScreenItem;
    expect(draw(command).slice(1)).toEqual(['  … 1 lines left out', '  two', '  three', '  four', '  five']);
    const missing = '"b" does not exist. Look for it with cerca (nome).';
    expect(
      draw({
        ...edit,
        outcome: { ...TOOL.outcome, content: missing, command: undefined, isFailed: true },
      } as ScreenItem)[1],
    ).toBe('  "b" does not exist. Look for it with search (name).');
    expect(draw({ ...edit, approval: 'denied' } as ScreenItem)).toHaveLength(1);
  });

  test('shows its last output lines and the number of earlier ones while it runs', () => {
    const running = { ...TOOL, outcome: undefined };
    const output = Array.from({ length: 20 }, (_, at) => `line ${at}\n`).join('');
    const lines = draw({ ...running, isOver: false, output, droppedLines: 5 });
    expect(lines[0]).toMatch(/^● Running {2}npm test$/);
    expect(lines.slice(1)).toEqual([
      '  … 17 lines left out',
      ...Array.from({ length: 8 }, (_, at) => `  line ${at + 12}`),
    ]);
  });

  test('shows the last state of a line rewritten with carriage returns', () => {
    const running = { ...TOOL, outcome: undefined };
    expect(draw({ ...running, isOver: false, output: '10%\r50%\r100%\nnext\r\n' }).slice(1)).toEqual([
      '  100%',
      '  next',
    ]);
  });

  test('shows arguments, output or result, and changes when unfolded', () => {
    const args = JSON.stringify({ path: 'a.ts', content: 'x', all: true });
    const changes = [{ path: 'a.ts', before: 'one\ntwo\n', after: 'one\n2\n', turn: 1, isTooLarge: false }];
    const edit = { ...TOOL, name: 'scrivi', args, changes } as ScreenItem;
    expect(draw(edit)[0]).toMatch(/^✓ Wrote {2}a\.ts {2}\+1 -1 +/);
    const lines = draw(edit, lookOf(80), true).join('\n');
    expect(lines).toMatch(/: true$/m);
    expect(lines).toMatch(/- two/);
    expect(lines).toMatch(/\+ 2/);
    expect(draw({ ...TOOL, output: 'printed\n' }, lookOf(80), true)).toContain('  printed');
    expect(
      draw({ ...TOOL, name: 'leggi', outcome: { ...TOOL.outcome, content: 'told' } } as ScreenItem, lookOf(80), true),
    ).toContain('  told');
  });

  test('shows the problems that an edit introduced, folded and unfolded', () => {
    const changes = [{ path: 'a.ts', before: 'one\n', after: '2\n', turn: 1, isTooLarge: false }];
    const problems = 'New problems after this edit:\na.ts:1:1 error TS1: Wrong.\na.ts:1:2 warning: Old.';
    const outcome = { ...TOOL.outcome, content: `Edited a.ts.\n\n${problems}`, command: undefined };
    const edit = { ...TOOL, name: 'file_edit', args: '{"percorso":"a.ts"}', changes, outcome } as ScreenItem;
    const shown = ['  a.ts:1:1 error TS1: Wrong.', '  a.ts:1:2 warning: Old.'];
    expect(draw(edit).slice(1)).toEqual(shown);
    expect(draw(edit, lookOf(80), true)).toEqual(expect.arrayContaining(shown));
  });

  test('names the instructions for agents that it changed, folded and unfolded', () => {
    const change = (path: string) => ({ path, before: 'one\n', after: '2\n', turn: 1, isTooLarge: false });
    const changed = { ...TOOL, changes: ['src/a.ts', 'AGENTS.md', '.cursor/rules/a.mdc'].map(change) };
    const shown = '  Instructions for agents changed: AGENTS.md, .cursor/rules/a.mdc';
    expect(draw(changed).slice(1)).toEqual([shown]);
    expect(draw(changed, lookOf(80), true)).toContain(shown);
    expect(draw(changed, lookOf(120, { say: translatorFor('it') }))[1]).toBe(
      '  Istruzioni per gli agenti modificate: AGENTS.md, .cursor/rules/a.mdc',
    );
    expect(draw({ ...TOOL, changes: [change('src/a.ts'), change('docs/AGENTS.md.txt')] })).toHaveLength(1);
  });

  test('shows partial arguments while they arrive', () => {
    const running = { ...TOOL, outcome: undefined };
    expect(draw({ ...running, isOver: false, args: '{"comando":"echo \\"hi\\"","x":"unfin' })[0]).toBe(
      '● Running  echo "hi"',
    );
  });

  test('shows the name of an unknown tool', () => {
    expect(draw({ ...TOOL, name: 'mcp__files__open', args: '{"name":"a"}' })[0]).toMatch(/^✓ mcp__files__open {2}a/);
  });
});

describe('messages', () => {
  test('of the user have a bar, their images and the result of a steering message', () => {
    const message = itemOf('user', { text: 'one\ntwo', images: [{ id: 'i', name: 'a.png' }], steer: 'asked' });
    expect(draw(message)).toEqual(['▌ one', '▌ two', '▌ [a.png]', '▌ sending to the agent']);
  });

  test('of the model are rendered as Markdown or as source', () => {
    const answer = itemOf('text', { text: '# Hi\n\n**bold**' });
    expect(draw(answer)).toEqual(['Hi', '', 'bold']);
    expect(draw(answer, lookOf(80, { isMarkdown: false }))).toEqual(['# Hi', '', '**bold**']);
    expect(draw({ ...answer, text: ' \n' })).toEqual([]);
  });

  test('stream to the same rows as the complete text', () => {
    const drawer = createItemDrawer('en');
    const look = lookOf(40);
    const text = 'A list:\n\n- one\n- two\n\n```ts\nconst a = 1;\n```\n\nThe end.';
    for (let at = 1; at < text.length; at += 3) {
      drawer.draw(itemOf('text', { text: text.slice(0, at), isOpen: true }), look, false);
    }
    const whole = itemOf('text', { text });
    expect(plain(drawer.draw(whole, look, false))).toEqual(draw(whole, lookOf(40)));
  });

  test('collapse reasoning to its duration until it is opened', () => {
    const thought = itemOf('reasoning', { text: 'because', endedAt: 4_000 });
    expect(draw(thought)).toEqual(['∴ thought for 4.0 s']);
    expect(draw(thought, lookOf(80, { showsReasoning: true }))).toEqual(['∴ thought for 4.0 s', '│ because']);
  });
});

test('the end of a turn shows its usage and a readable error', () => {
  const usage = { prompt_tokens: 12_000, completion_tokens: 345, cached_tokens: null, steps: 1 };
  const end = itemOf('end', { durationMs: 61_000, usage, changedFiles: 2 });
  expect(draw(end)).toEqual(['1 min 1 s · 12.3k tokens · 2 files changed']);
  const failed = draw({
    ...end,
    outcome: 'failed',
    code: 'MODEL_CALL_FAILED',
    failureClass: 'network',
    providerMessage: 'no route to\nhost',
    message: 'ECONNREFUSED',
  });
  expect(failed[0]).toBe('✗ Could not reach the provider.');
  expect(failed[1]).toBe('  Provider response: no route to host');
  expect(failed.join('\n')).not.toContain('ECONNREFUSED');
});

test('an unchanged item reuses its drawn lines', () => {
  const drawer = createItemDrawer('en');
  const look = lookOf(80);
  expect(drawer.draw(TOOL, look, false)).toBe(drawer.draw(TOOL, look, false));
  expect(drawer.draw(TOOL, look, true)).not.toBe(drawer.draw(TOOL, look, false));
});

test('abbreviates large numbers', () => {
  expect([0, 999, 1_000, 99_949, 99_950, 999_499, 1_250_000].map(shortCount)).toEqual([
    '0',
    '999',
    '1.0k',
    '99.9k',
    '100k',
    '999k',
    '1.3M',
  ]);
  expect([5, 2_345, 61_000, 3_700_000].map(duration)).toEqual(['5 ms', '2.3 s', '1 min 1 s', '1 h 1 min']);
});

describe('no card is wider than the screen or prints a control character', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({
      unit: fc.constantFrom(
        '\x1b[2J',
        '\x9b31m',
        '\u202e',
        '日本',
        '\t',
        '\r',
        '\n',
        'e\u0301',
        '👨‍👩‍👧',
        'word ',
        '**',
        '|',
        '`',
      ),
      maxLength: 60,
    }),
  );
  const item: fc.Arbitrary<ScreenItem> = hostile.chain((text) =>
    fc.constantFrom<ScreenItem>(
      itemOf('user', { text, images: [{ id: 'i', name: text }], steer: 'failed' }),
      itemOf('text', { text, isOpen: text.length % 2 === 0 }),
      itemOf('reasoning', { text, isOpen: true }),
      { ...TOOL, name: text, args: JSON.stringify({ [text]: text, command: text }), output: text },
      { ...TOOL, args: text, changes: [{ path: text, before: text, after: `${text}x`, turn: 1, isTooLarge: false }] },
      itemOf('command', { command: text, output: text, error: text }),
      itemOf('question', {
        questions: [{ id: 'a', question: text, why: text }],
        state: 'answered',
        answers: { a: [text] },
      }),
      itemOf('plan', { content: text, state: 'changes-requested', feedback: text }),
      itemOf('workflow', { title: text, status: text }),
      itemOf('fallback', { from: text, to: text }),
      itemOf('end', { outcome: 'failed', code: 'odd', message: text, durationMs: 1, changedFiles: 1 }),
      { kind: 'notice', key: 'k', notice: { tone: 'danger', title: text, body: text } },
    ),
  );

  test.each([40, 80, 120, 8])('at %i columns', (width) => {
    fc.assert(
      fc.property(item, fc.boolean(), fc.boolean(), (one, isUnfolded, showsReasoning) => {
        for (const line of createItemDrawer('it').draw(one, lookOf(width, { showsReasoning }), isUnfolded)) {
          expect(lineWidth(line)).toBeLessThanOrEqual(width);
          for (const { text } of line) expect(text).not.toMatch(/\p{Cc}|[\u202a-\u202e]/u);
        }
      }),
      { numRuns: 150 },
    );
  });
});
