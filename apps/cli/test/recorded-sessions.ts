import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { StoredEvent } from '@fucina/conversation';
import { createHost } from '@fucina/host';
import { systemAmbient } from '@fucina/shared';
import type { Reply, Script } from '@fucina/testkit';
import type { Choices } from '../src/choices.ts';
import { type OpenConversation, ofKind, open, shell } from './conversation-fixture.ts';

/** A session to record: the model's answers and the user's actions. */
export interface Scenario {
  name: string;
  script: Script;
  choices?: Partial<Choices>;
  files?: Record<string, string>;
  play(s: OpenConversation): Promise<void>;
}

const ON_REQUEST = { level: 'On request' } as const;
const HANGS: Reply = { text: ['I begin. ', 'I continue.'], fault: { kind: 'hang-mid-stream' } };
const PICTURE = `data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='}`;
const call = (name: string, values: Record<string, unknown>): Reply => ({ toolCalls: [{ name, arguments: values }] });

const say = async (s: OpenConversation, ...messages: readonly string[]): Promise<void> => {
  for (const message of messages) {
    await s.say(message);
    await s.idle();
  }
};

const answer = async (s: OpenConversation, kind: 'approval' | 'plan' | 'questions', respond: () => Promise<void>) => {
  await s.until(() => s.conversation.request()?.kind === kind);
  await respond();
};

/** Only a server watches a session's folder for outside changes, while a client follows the session. */
async function changeOutside(s: OpenConversation): Promise<void> {
  const { filesVersion } = s.conversation.state();
  const { dataDir, env, project } = s.computer;
  const ambient = systemAmbient('silent');
  const common = { ambient, version: '0', dataDir, projects: [], model: undefined, environment: env };
  const server = await createHost({ ...common, keyStore: 'memory', publicCatalog: false, background: true });
  const leaving = new AbortController();
  const following = (async () => {
    const { sessions } = server.services;
    for await (const _item of sessions.follow(s.conversation.sessionId() ?? '', 0, leaving.signal)) continue;
  })();
  for (let count = 1; s.conversation.state().filesVersion === filesVersion; count += 1) {
    // The first ones may come before the folder was scanned.
    writeFileSync(join(project.path, 'b.txt'), 'outside\n'.repeat(count));
    await pause(1_000);
  }
  leaving.abort();
  await following;
  await server.close();
}

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'tools',
    files: { 'a.txt': 'old\n', 'b.txt': 'one\ntwo\n' },
    script: [
      { reasoning: ['First ', 'I look.'], text: ['I read ', 'it.'], ...call('leggi', { percorso: 'a.txt' }) },
      call('scrivi', { percorso: 'a.txt', contenuto: 'new\n' }),
      call('file_edit', { percorso: 'b.txt', vecchio: 'two', nuovo: '2' }),
      call('leggi', { percorso: 'missing.txt' }),
      shell('printf "one\\ntwo\\n"; exit 3'),
      {
        toolCalls: [shell('echo left').toolCalls?.[0], shell('echo right').toolCalls?.[0]].flatMap((one) => one ?? []),
      },
      { text: 'All **done**.' },
    ],
    play: (s) => say(s, 'Change both files'),
  },
  {
    name: 'approvals',
    choices: ON_REQUEST,
    files: { 'a.txt': 'old\n' },
    script: [
      shell('echo one'),
      call('leggi', { percorso: 'a.txt' }),
      call('scrivi', { percorso: 'a.txt', contenuto: 'new\n' }),
      { text: 'I could not.' },
    ],
    async play(s) {
      await s.say('go');
      await answer(s, 'approval', () => s.conversation.respond({ kind: 'approval', choice: 'once' }));
      await s.until(() => ofKind(s, 'approval').length === 2);
      await answer(s, 'approval', () => s.conversation.respond({ kind: 'approval', choice: 'deny-once' }));
      await s.idle();
    },
  },
  {
    name: 'stop-while-asked',
    choices: ON_REQUEST,
    script: [shell('echo one'), HANGS, { text: 'Again.' }],
    async play(s) {
      await s.say('go');
      await s.until(() => s.conversation.request() !== undefined);
      await s.conversation.stop();
      await s.idle();
      await s.say('once more');
      await s.until(() => ofKind(s, 'text').length > 0);
      await s.conversation.stop();
      await s.idle();
      await say(s, 'and again');
    },
  },
  {
    name: 'queue-and-steer',
    script: [shell('sleep 0.5'), { text: 'Blue then.' }, { text: 'Queued.' }],
    async play(s) {
      await s.say('red');
      await s.until(() => ofKind(s, 'tool').length === 1);
      await s.say('no, blue', 'steer');
      await s.say('and then this', 'queue');
      await s.until(() => ofKind(s, 'end').length === 1 && ofKind(s, 'text').length === 2);
      await s.idle();
    },
  },
  {
    name: 'errors',
    script: [
      { fault: { kind: 'status', status: 400, body: '{"error":{"message":"model takes no tools"}}' } },
      { text: 'Now it works.' },
    ],
    play: (s) => say(s, 'fail', 'work'),
  },
  {
    name: 'agents-and-todo',
    script: ({ body }) => {
      const text = JSON.stringify((body as { messages: unknown[] }).messages);
      if (text.includes('the agent is back')) return { text: 'Done.' };
      if (text.includes('look around')) return { text: 'the agent is back' };
      const items = [
        { content: 'look', status: 'in_progress' },
        { content: 'report', status: 'pending' },
      ];
      return {
        toolCalls: [
          { name: 'todo_write', arguments: { items } },
          { name: 'delega_sottotask', arguments: { task: 'look around' } },
        ],
      };
    },
    play: (s) => say(s, 'delegate'),
  },
  {
    name: 'undo',
    files: { 'a.txt': 'old\n' },
    script: [
      call('leggi', { percorso: 'a.txt' }),
      call('scrivi', { percorso: 'a.txt', contenuto: 'new\n' }),
      { text: 'Written.' },
      { text: 'More.' },
    ],
    play: (s) => say(s, 'write', '/undo', '/redo', 'more'),
  },
  {
    name: 'compaction',
    files: { 'a.txt': 'one\n', 'b.txt': 'two\n', 'c.txt': 'three\n' },
    script: [
      ...['a', 'b', 'c'].map((name) => ({ text: `I read ${name}.`, ...call('leggi', { percorso: `${name}.txt` }) })),
      { text: 'All read.' },
      { text: 'Goal: read three files. They were read.' },
      { text: 'After.' },
    ],
    async play(s) {
      await say(s, 'read');
      await s.host.services.sessions.editing.compact(s.conversation.sessionId() ?? '');
      await say(s, 'after');
    },
  },
  {
    name: 'outside-changes-and-commands',
    files: { 'a.txt': 'old\n' },
    script: [shell('sleep 1.5'), { text: 'Seen.' }],
    async play(s) {
      await s.say('wait');
      await s.until(() => ofKind(s, 'tool').length === 1);
      writeFileSync(join(s.computer.project.path, 'a.txt'), 'outside\n');
      await s.conversation.runOwn('echo hi; exit 3');
      await s.until(() => ofKind(s, 'command').some(({ isOver }) => isOver));
      await s.idle();
      await changeOutside(s);
    },
  },
  {
    name: 'pictures',
    script: [{ text: 'A dot.' }],
    async play(s) {
      const { id, nome } = await s.host.services.sessions.images.upload({ name: 'dot.png', dataUrl: PICTURE });
      await s.conversation.say({ text: 'What is this?', images: [{ id, name: nome }] });
      await s.idle();
    },
  },
  {
    name: 'questions',
    script: [
      call('ask_user', {
        questions: [
          {
            id: 'colour',
            question: 'Which colour?',
            why: 'To know.',
            options: [{ label: 'blue', recommended: true }, { label: 'red' }],
          },
        ],
      }),
      call('ask_user', { questions: [{ id: 'name', question: 'Which name?', why: 'To know.' }] }),
      { text: 'Blue.' },
    ],
    async play(s) {
      await s.say('ask me');
      await answer(s, 'questions', () => s.conversation.respond({ kind: 'questions', answers: { colour: 'blue' } }));
      await s.until(() => ofKind(s, 'question').length === 2);
      await answer(s, 'questions', () => s.conversation.respond({ kind: 'questions', answers: undefined }));
      await s.idle();
    },
  },
  {
    name: 'plan',
    choices: { mode: 'plan' },
    script: [
      call('present_plan', { plan: '# Plan\n\nDo it.' }),
      call('present_plan', { plan: '# Plan\n\nDo less.' }),
      { text: 'Done.' },
    ],
    async play(s) {
      await s.say('plan it');
      await answer(s, 'plan', () =>
        s.conversation.respond({
          kind: 'plan',
          choice: { decision: 'continua-a-pianificare', feedback: 'Do less' },
        }),
      );
      await s.until(() => ofKind(s, 'plan').length === 2);
      await answer(s, 'plan', () =>
        s.conversation.respond({ kind: 'plan', choice: { decision: 'procedi-accetta-modifiche' } }),
      );
      await s.idle();
    },
  },
];

/** Plays it with the real services, and returns the journal without the folders of this computer. */
export async function record({ script, choices, files, play }: Scenario): Promise<StoredEvent[]> {
  await using s = await open(script, choices, files);
  await play(s);
  const { sessions } = s.host.services;
  const sessionId = s.conversation.sessionId() ?? '';
  const stop = new AbortController();
  const stored: StoredEvent[] = [];
  for await (const item of sessions.follow(sessionId, 0, stop.signal)) {
    if (item.kind === 'replayed') break;
    if (item.kind === 'events') stored.push(...item.events);
  }
  stop.abort();
  return stored.map(({ seq, at, json }) => ({
    seq,
    at,
    json: json
      .replaceAll(s.computer.project.path, '/home/ada/project')
      .replaceAll(s.computer.env.HOME ?? '/', '/home/ada'),
  }));
}
