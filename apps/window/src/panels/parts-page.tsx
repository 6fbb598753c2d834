import '../styles/cards.css';
import '../styles/forms.css';
import '../styles/settings.css';
import { ApiError, OFFLINE } from '@fucina/client';
import type { Question, ToolItem, ToolOutcome } from '@fucina/conversation';
import { THEME_NAMES } from '@fucina/shared/themes';
import { Inbox } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Ask } from '../parts/ask.tsx';
import { Card, Fold, Gauge, Panel } from '../parts/box.tsx';
import { Code } from '../parts/code.tsx';
import { Diff } from '../parts/diff.tsx';
import { LevelMenu } from '../parts/level-menu.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { LevelCards, ToolTable } from '../parts/permissions.tsx';
import { Ref } from '../parts/ref.tsx';
import { SessionMark } from '../parts/session-mark.tsx';
import { Empty, Failure, Loading } from '../parts/states.tsx';
import { ToolCall } from '../parts/tool-call.tsx';
import { draftFor } from '../session/question-answer.ts';
import type { SessionState } from '../session/session-state.ts';
import { SCHEMES, setScheme, setTheme, useAppearance } from '../styles/appearance.ts';
import { LANGUAGES, setLanguage, useWords } from '../words/words.ts';
import { QuestionFields } from './session/cards/question-fields.tsx';

const STATES: readonly SessionState[] = [
  'waiting',
  'running',
  'interrupted',
  'stopped',
  'exhausted',
  'failed',
  'done',
  'unrecorded',
];

const BEFORE = 'const rate = 22;\nexport const total = (net: number) => net * rate;\n';
const AFTER = 'const rate = 22; // percent\nexport const total = (net: number) => net + (net * rate) / 100;\n';

const TEXT = `# One

A paragraph with **bold**, *emphasis*, ~~gone~~, \`code\`, [a link](https://example.org/page) and <b>raw</b> text.

## Two

1. first
2. second
   - nested
- [x] done
- [ ] open

> quoted

| name | value |
|---|---:|
| one | 1 |

\`\`\`ts
${BEFORE}\`\`\``;

const call = (key: string, part: Partial<ToolItem>): ToolItem => ({
  kind: 'tool',
  key,
  turn: 1,
  name: 'shell',
  args: '{"comando":"npm test"}',
  startedAt: undefined,
  answer: undefined,
  isQueued: false,
  output: '',
  droppedLines: 0,
  outcome: undefined,
  isOver: false,
  approval: undefined,
  changes: [],
  background: undefined,
  hasCard: false,
  ...part,
});

const outcome = (part: Partial<ToolOutcome>): ToolOutcome => ({
  content: '',
  durationMs: undefined,
  command: undefined,
  cwd: undefined,
  stdout: undefined,
  stderr: undefined,
  exitCode: undefined,
  isFailed: false,
  isInterrupted: false,
  enforcement: undefined,
  images: [],
  media: [],
  ...part,
});
const TESTED = { content: 'ok', command: 'npm test', cwd: '/home/ada/rates', stdout: '14 passed\n', durationMs: 2_140 };
const CALLS: readonly ToolItem[] = [
  call('running', { output: 'compiling\nlinking\n' }),
  call('queued', { isQueued: true }),
  call('held', { approval: 'waiting' }),
  call('done', { isOver: true, approval: 'allowed', outcome: outcome({ ...TESTED, exitCode: 0 }) }),
  call('failed', { isOver: true, outcome: outcome({ ...TESTED, exitCode: 1, stderr: 'one test failed\n' }) }),
  call('denied', { isOver: true, approval: 'denied', outcome: outcome({ content: 'denied' }) }),
  call('cut', { isOver: true }),
  call('edit', {
    name: 'file_edit',
    args: '{"percorso":"src/rates.ts"}',
    isOver: true,
    outcome: outcome({ content: 'edited' }),
    changes: [{ path: 'src/rates.ts', before: BEFORE, after: AFTER, turn: 1, isTooLarge: false }],
  }),
  call('background', {
    isOver: true,
    outcome: outcome({ content: 'it continues', command: 'npm run dev' }),
    background: { isRunning: true, by: 'user', exitCode: null },
  }),
  call('other', {
    name: 'mcp__maps__find',
    args: '{"place":"Milan"}',
    isOver: true,
    outcome: outcome({ content: '{}' }),
  }),
];

const REFUSED = new ApiError('SESSION_STILL_RUNNING', {
  status: 409,
  body: {
    code: 'SESSION_STILL_RUNNING',
    message: 'The session is running.',
    title: 'The session is running',
    explanation: 'It cannot be deleted while a turn runs.',
    action: 'Stop it first.',
    doctorReference: 'doctor-0123456789ab',
  },
});

function Shown({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="field" aria-label={name}>
      <h2 className="group-title">{name}</h2>
      {children}
    </section>
  );
}

function Switches() {
  const look = useAppearance();
  const { language } = useWords();
  const rows = [
    { values: SCHEMES, value: look.scheme, choose: setScheme },
    { values: THEME_NAMES, value: look.theme, choose: setTheme },
    { values: LANGUAGES, value: language, choose: setLanguage },
  ] as { values: readonly string[]; value: string; choose: (value: string) => void }[];
  return rows.map(({ values, value, choose }) => (
    <div key={values.join()} className="choice">
      {values.map((name) => (
        <button key={name} type="button" aria-pressed={name === value} onClick={() => choose(name)}>
          {name}
        </button>
      ))}
    </div>
  ));
}

const nothing = () => undefined;

function Asks() {
  return (
    <>
      <Ask
        action={{ kind: 'shell', command: 'git push origin main', description: 'Publish the fix' }}
        more={2}
        isSending={false}
        answer={nothing}
      />
      <Ask
        action={{ kind: 'file_edit', path: 'src/rates.ts', oldText: BEFORE, newText: AFTER, reason: 'A new file.' }}
        more={0}
        isSending={false}
        answer={nothing}
        failure={<Failure error={REFUSED} />}
      />
      <Ask action={{ kind: 'scrivi', path: 'notes.md', content: '# Notes\n' }} more={0} isSending answer={nothing} />
    </>
  );
}

const QUESTION: Question = {
  id: 'store',
  header: 'Storage',
  question: 'Where should pages be kept?',
  why: 'It decides how the cache is written.',
  options: [
    { label: 'SQLite', description: 'One database', recommended: true, preview: 'CREATE TABLE page (id);' },
    { label: 'A file' },
  ],
};

function Questions() {
  const [draft, setDraft] = useState(() => draftFor(QUESTION));
  return <QuestionFields question={QUESTION} draft={draft} change={setDraft} canSkip />;
}

function States() {
  return (
    <Shown name="Empty, Loading, Failure">
      <Empty icon={<Inbox size={20} />} title="Nothing here">
        It will come.
      </Empty>
      <Loading />
      <Failure error={REFUSED} retry={nothing} />
      <Failure error={new ApiError(OFFLINE, { status: 0 })} retry={nothing} />
      <Failure error={new Error('a fault')} />
    </Shown>
  );
}

/** Every component in every state, for development and screenshots. */
export function PartsPage() {
  return (
    <main className="stage stage-page">
      <div className="page">
        <h1>Parts</h1>
        <Switches />
        <Shown name="Session states">
          {STATES.map((state) => (
            <SessionMark key={state} state={state} isWorded />
          ))}
        </Shown>
        <Shown name="ToolCall">
          {CALLS.map((item) => (
            <ToolCall key={item.key} item={item} />
          ))}
          <ToolCall item={{ ...(CALLS[3] as ToolItem), key: 'opened' }} isOpen />
        </Shown>
        <Shown name="Ask">
          <Asks />
        </Shown>
        <Shown name="Question">
          <Questions />
        </Shown>
        <Shown name="Diff">
          <Diff before={BEFORE} after={AFTER} label="changed" />
          <Diff before={null} after={AFTER} label="new" />
          <Diff before={BEFORE} after={BEFORE} label="same" />
        </Shown>
        <Shown name="Markdown">
          <Markdown text={TEXT} />
          <Markdown text={'Still being written:\n\n```ts\nconst a'} isOpen />
        </Shown>
        <Shown name="Code">
          <Code code={BEFORE} language="ts" />
        </Shown>
        <Shown name="Gauge">
          <Gauge label="Context" fraction={0.2} text="40K of 200K" />
          <Gauge label="Context" fraction={0.75} text="150K of 200K" />
          <Gauge label="Context" fraction={0.95} text="190K of 200K" />
          <Gauge label="Context" fraction={undefined} text="40K, window not declared" />
        </Shown>
        <Shown name="Card, Panel, Fold, Ref">
          <Card>Plain</Card>
          <Card tone="ask">Asks</Card>
          <Card tone="warning">Warns</Card>
          <Panel title="Panel">Inside</Panel>
          <Fold head="Fold">{() => 'Inside'}</Fold>
          <Ref value="doctor-0123456789ab" label="Reference" />
        </Shown>
        <Shown name="Permissions">
          <LevelCards value="On request" choose={nothing} />
          <LevelMenu value="Read only" choose={nothing} />
          <ToolTable value={{ shell: 'deny' }} choose={nothing} canClear />
        </Shown>
        <States />
      </div>
    </main>
  );
}
