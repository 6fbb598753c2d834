import type { Reply, Script } from '@fucina/testkit';
import { describe, test } from '@jest/globals';
import { ASKS_FORM, asksFor, FORM } from './asking.ts';
import { type SceneOptions, scene } from './frames.ts';
import { hasTmux } from './terminal.ts';

const isRequired = process.env.FUCINA_TEST_REQUIRE === '1';
const ITALIAN = { LANG: 'it_IT.UTF-8', LC_ALL: 'it_IT.UTF-8' };
const ASKS = '-m ollama:tiny --permissions "On request"';

const call = (name: string, args: Record<string, unknown>): Reply => ({ toolCalls: [{ name, arguments: args }] });
const shell = (comando: string): Reply => call('shell', { comando, descrizione: 'see what is there' });

const ANSWER = `## What I found

The parser reads **one line** at a time, *not* the whole file; see \`src/parser.ts\` and [the guide](https://example.com/guide).

- first the tokens
  - then the tree
- then the errors

1. read
2. write

| Step | What it does | Cost |
|:-----|:------------:|-----:|
| lex | makes tokens | 1 |
| parse | makes the tree | 12 |

> Nothing is read twice.

\`\`\`ts
export function add(one: number, other: number): number {
  return one + other; // no checks
}
\`\`\`

- [x] lexer
- [ ] parser
`;
const WIDE = '日本語の答えです。全角文字は二列を使います。 👩‍💻 👍🏽 🇮🇹 한국어도 됩니다. Cafe\u0301 naïve — ✓ done.';

(hasTmux || isRequired ? describe : describe.skip)('frames in a real terminal (skipped without tmux)', () => {
  test.each([
    ['empty-80x24', {}],
    ['empty-it-80x24', { env: ITALIAN }],
    ['empty-40x15', { size: [40, 15] }],
    ['empty-160x50', { size: [160, 50] }],
    ['empty-no-model-80x24', { args: '' }],
  ] as [string, Partial<SceneOptions>][])('%s', async (name, options) => {
    await using s = await scene({ script: [], ...options });
    await s.frame(name, options.env ? 'un’attività ·' : options.size?.[0] === 40 ? '~/sample' : 'Describe a task ·');
  });

  test.each([
    ['answer-80x60', [80, 60]],
    ['answer-40x15', [40, 15]],
    ['answer-160x50', [160, 50]],
  ] as [string, [number, number]][])('%s', async (name, size) => {
    await using s = await scene({
      script: [{ reasoning: 'The user wants the parser explained.\nI look at it first.', text: ANSWER }],
      size,
    });
    await s.terminal.type('how does the parser work?', 'Enter');
    await s.frame(name, size[0] === 40 ? '[ ] parser' : 'Nothing is read twice.');
    if (size[0] !== 80) return;
    await s.terminal.type('C-t');
    await s.frame('reasoning-80x60', 'I look at it first.');
    await s.terminal.type('M-r');
    await s.frame('raw-80x60', '## What I found');
    await s.terminal.type('M-r', 'M-t', 'parser');
    await s.frame('search-80x60', 'parser');
  });

  test('wide characters', async () => {
    await using s = await scene({
      script: [{ text: `${WIDE}\n\n\`\`\`\n${WIDE}\n\`\`\`\n\n| ${WIDE.slice(0, 8)} | b |\n|---|---|\n| 日本 | c |` }],
    });
    await s.terminal.type('説明してください 👩‍💻', 'Enter');
    await s.frame('wide-80x24', '│ 日本');
  });

  test('tool calls, folded and unfolded', async () => {
    const script: Script = [
      { text: 'I look around.', ...shell('printf "one\\ntwo\\nthree\\n"') },
      shell('echo broken >&2; exit 3'),
      call('scrivi', { percorso: 'new.txt', contenuto: 'first\nsecond\n' }),
      call('file_edit', { percorso: 'README.md', vecchio: '# Sample', nuovo: '# Example\n\nwith words' }),
      call('leggi', { percorso: 'missing.txt' }),
      call('todo_write', {
        items: [
          { content: 'Read', status: 'completed' },
          { content: 'Write', status: 'in_progress' },
          { content: 'Test', status: 'pending' },
        ],
      }),
      { text: 'Done.' },
    ];
    await using s = await scene({ script, size: [80, 40] });
    await s.terminal.type('go', 'Enter');
    await s.frame('tools-folded-80x40', 'Done.');
    await s.terminal.type('C-o');
    await s.frame('tools-unfolded-80x40', 'with words');
  });

  test('a running command and a stopped turn', async () => {
    await using s = await scene({ script: [shell('echo counting; echo up; sleep 60'), { text: 'no' }] });
    await s.terminal.type('go', 'Enter');
    await s.terminal.shows('counting');
    await s.frame('tool-running-80x24', 'up');
    await s.terminal.type('Escape');
    await s.frame('turn-stopped-80x24', 'topped');
  });

  test.each([
    ['80x24', [80, 24], {}],
    ['it-80x24', [80, 24], ITALIAN],
    ['40x15', [40, 15], {}],
    ['160x50', [160, 50], {}],
  ] as [string, [number, number], Record<string, string>][])('an approval card, %s', async (name, size, env) => {
    const script: Script = [
      shell('npm test -- --watch=false'),
      call('file_edit', { percorso: 'README.md', vecchio: '# Sample', nuovo: '# Example' }),
      call('scrivi', { percorso: '.npmrc', contenuto: 'registry=https://example.com\n' }),
      { text: 'Understood.' },
    ];
    await using s = await scene({ script, size, env, args: ASKS });
    await s.terminal.type('go', 'Enter');
    await s.frame(`leave-command-${name}`, 'npm test');
    await s.terminal.type('4');
    await s.frame(`leave-file-${name}`, '+ # Example');
    await s.terminal.type('4');
    await s.frame(`leave-control-file-${name}`, '.npmrc');
    if (name !== '80x24') return;
    await s.terminal.type('wait');
    await s.frame('leave-while-writing-80x24', 'Tab');
    await s.terminal.type('C-u', 'v');
    await s.frame('leave-page-80x24', 'registry');
    await s.terminal.type('Escape');
    await s.terminal.shows('› Describe a task ·');
    await s.terminal.type('4');
    await s.frame('leave-denied-80x24', 'Understood.');
  });

  test('questions', async () => {
    const options = [
      { label: 'Postgres', description: 'a server' },
      { label: 'SQLite', description: 'one file', recommended: true },
    ];
    const script: Script = [
      call('ask_user', {
        questions: [
          { id: 'db', question: 'Which database should it use?', why: 'The schema depends on it.', options },
          {
            id: 'parts',
            question: 'Which parts?',
            why: 'To begin there.',
            options: [{ label: 'API' }, { label: 'CLI' }],
            multiSelect: true,
          },
        ],
      }),
      { text: 'Good.' },
    ];
    await using s = await scene({ script });
    await s.terminal.type('go', 'Enter');
    await s.frame('question-80x24', 'Which database');
    await s.terminal.type('1', 'Space');
    await s.frame('question-many-80x24', '[x] API');
    await s.terminal.type('3', 'and the docs');
    await s.frame('question-own-80x24', 'and the docs');
    await s.terminal.type('Enter');
    await s.frame('question-answered-80x24', 'Good.');
  });

  test('a plan', async () => {
    const plan = '# Plan\n\n1. **Read** the parser\n2. Write `tests`\n3. Fix it\n\nNothing else changes.';
    await using s = await scene({
      script: [call('present_plan', { plan }), { text: 'ok' }],
      args: '-m ollama:tiny --permission-mode plan',
    });
    await s.terminal.type('plan it', 'Enter');
    await s.frame('plan-80x24', 'Nothing else changes.');
    await s.terminal.type('3', 'keep it shorter');
    await s.frame('plan-change-80x24', 'keep it shorter');
  });

  test.each([
    ['80x24', [80, 24], {}],
    ['it-80x24', [80, 24], ITALIAN],
    ['40x15', [40, 15], {}],
  ] as [string, [number, number], Record<string, string>][])('a form, %s', async (name, size, env) => {
    const prepare: SceneOptions['prepare'] = (b, folder) => asksFor(b, FORM, folder);
    await using s = await scene({ script: [ASKS_FORM, { text: 'Noted.' }], size, env, prepare });
    await s.terminal.type('go', 'Enter');
    await s.frame(`form-${name}`, 'Name *');
    if (name !== '80x24') return;
    await s.terminal.type('1', 'Ada');
    await s.frame('form-text-80x24', 'Ada');
    await s.terminal.type('Enter', 'Enter');
    await s.frame('form-choices-80x24', '● small');
    await s.terminal.type('2', '3', 'tomorrow', 'Enter', '4');
    await s.frame('form-problem-80x24', 'Enter a date');
    await s.terminal.type('3', 'C-u', 'Enter', '4');
    await s.frame('form-sent-80x24', 'Noted.');
  });

  test('a request to open a page', async () => {
    const url = `https://sign-in.example/oauth/authorize?${'state=0123456789abcdef&'.repeat(5)}`;
    const asked = { mode: 'url', elicitationId: 'e', message: 'Sign in to your account.', url };
    await using s = await scene({
      script: [ASKS_FORM, { text: 'Noted.' }],
      prepare: (b, folder) => asksFor(b, asked, folder),
    });
    await s.terminal.type('go', 'Enter');
    await s.frame('form-page-80x24', 'sign-in.example');
  });

  test('a compacted conversation', async () => {
    const reads = ['a', 'b', 'c'].map((name) => ({
      text: `Looking at ${name}.`,
      ...call('leggi', { percorso: name }),
    }));
    let summarize = (): void => undefined;
    const isSeen = new Promise<void>((resolve) => (summarize = resolve));
    const replies: Reply[] = [...reads, { text: 'All read.' }];
    const script: Script = async () => {
      const next = replies.shift();
      if (!next) await isSeen;
      return next ?? { text: 'Three files were read.' };
    };
    await using s = await scene({ script, files: { a: 'one\n', b: 'two\n', c: 'three\n' } });
    await s.terminal.type('read them', 'Enter');
    await s.terminal.shows('All read.');
    await s.terminal.hides('Esc to stop');
    await s.terminal.type('/compact', 'Enter');
    await s.frame('compaction-running-80x24', 'Compacting the');
    summarize();
    await s.frame('compaction-done-80x24', 'compacted:');
  });

  test('a user’s shell command before the first prompt', async () => {
    await using s = await scene({ script: [] });
    await s.terminal.type('!cat README.md', 'Enter');
    await s.frame('own-first-80x24', '# Sample');
  });

  test('sub-agents', async () => {
    const script: Script = ({ lastText }) =>
      lastText.includes('look into the parser')
        ? { text: 'It reads lines.', delayMs: 60_000 }
        : call('delega_sottotask', { task: 'look into the parser' });
    await using s = await scene({ script });
    await s.terminal.type('go', 'Enter');
    await s.frame('agents-80x24', '◇ look into the parser');
  });

  test('errors and notices', async () => {
    const fault = { kind: 'status', status: 401, message: 'no such key' } as const;
    await using s = await scene({ script: () => ({ fault }) });
    await s.terminal.type('go', 'Enter');
    await s.frame('error-80x24', '✗');
    await s.terminal.type('/status', 'Enter');
    await s.frame('status-80x24', 'tatus');
  });

  // Some forty frames of a real terminal, each once it rests.
  test('pickers and pages', async () => {
    await using s = await scene({ script: [] });
    await s.terminal.type('/st');
    await s.frame('completion-80x24', '/status');
    await s.terminal.type('C-u', '?');
    await s.frame('help-80x24', '/help');
    await s.terminal.type('Escape');
    await s.terminal.shows('› Describe a task ·');
    await s.terminal.type('C-l');
    await s.frame('picker-80x24', 'tiny');
  }, 240_000);

  test.each([
    ['1', 'light'],
    ['2', 'dark'],
    ['3', 'dark'],
  ])('colors with depth %s on %s', async (depth, background) => {
    const env = { FORCE_COLOR: depth, COLORFGBG: background === 'light' ? '0;15' : '15;0' };
    await using s = await scene({ script: [{ text: ANSWER }], env, size: [80, 30] });
    await s.terminal.type('go', 'Enter');
    await s.paintedFrame(`painted-${depth}-${background}-80x30`, 'lexer');
  });
});
