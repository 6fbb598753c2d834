import type { AgentContext, RequestPermissionRequest } from '@agentclientprotocol/sdk';
import { expect, test } from '@jest/globals';
import type { ApprovalReply } from '../one-shot/approvals.ts';
import { translatorFor } from '../words/index.ts';
import { createEditorAsker } from './asker.ts';

const say = translatorFor('en');

/** The request that the editor received, and the effect of its choice. */
async function askedFor(
  action: Readonly<Record<string, unknown>>,
  optionId: string,
): Promise<{ asked: RequestPermissionRequest; reply: ApprovalReply }> {
  let asked: RequestPermissionRequest | undefined;
  const request = async (_method: string, params: RequestPermissionRequest): Promise<unknown> => {
    asked = params;
    return { outcome: { outcome: 'selected', optionId } };
  };
  const asker = createEditorAsker({
    client: { request } as unknown as AgentContext,
    sessionId: 's',
    say,
    capabilities: undefined,
    callOf: () => undefined,
  });
  const { signal } = new AbortController();
  const reply = await asker.ask({ requestId: 'r', action, folder: '/work', before: null, signal });
  return { asked: asked as RequestPermissionRequest, reply };
}

const optionsOf = ({ options }: RequestPermissionRequest): string[] => options.map(({ optionId }) => optionId);

test.each([
  ['a host', { kind: 'network', host: 'example.org', port: 443 }, ['once', 'session', 'project', 'deny']],
  [
    'a control file',
    { kind: 'scrivi', path: '.envrc', content: 'x', reason: 'control-file' },
    ['once', 'project', 'deny'],
  ],
  ['a hidden file', { kind: 'hidden-read', path: '/home/u/.config/foo' }, ['once', 'project', 'deny']],
] as const)('an editor is offered a rule of the project for %s', async (_what, action, options) => {
  const { asked, reply } = await askedFor(action, 'project');
  expect(optionsOf(asked)).toEqual(options);
  expect(reply).toEqual({ isGiven: true, forProject: true });
});

test.each([
  ['once', { isGiven: true, ofServer: 'each' }],
  ['tool', { isGiven: true, ofServer: 'tool' }],
  ['server', { isGiven: true, ofServer: 'server' }],
  ['deny', { isGiven: false }],
] as const)('an editor answers %s about an MCP server at its first call', async (optionId, expected) => {
  const action = { kind: 'mcp__notes__add', server: 'notes', tool: 'add', arguments: {}, asks: 'server' };
  const { asked, reply } = await askedFor(action, optionId);
  expect(asked.options.map(({ name, kind }) => [name, kind])).toEqual([
    ['Allow once, ask at every call', 'allow_once'],
    ['Always allow this tool', 'allow_always'],
    ['Always allow all tools of notes', 'allow_always'],
    ['Deny', 'reject_once'],
  ]);
  expect(reply).toEqual(expected);
});

test('an editor is offered only the tool where each tool of a server asks, and nothing more where every call does', async () => {
  const action = { kind: 'mcp__notes__add', server: 'notes', tool: 'add', arguments: {} };
  const { asked, reply } = await askedFor({ ...action, asks: 'tool' }, 'once');
  expect(optionsOf(asked)).toEqual(['once', 'tool', 'deny']);
  expect(reply).toEqual({ isGiven: true });
  expect(optionsOf((await askedFor(action, 'once')).asked)).toEqual(['once', 'deny']);
});

test('an editor is offered no rule for what git runs, and the session for a hidden file', async () => {
  const hook = { kind: 'scrivi', path: '.git/hooks/pre-commit', content: 'x', reason: 'control-file' };
  expect(optionsOf((await askedFor(hook, 'deny')).asked)).toEqual(['once', 'deny']);
  const { asked, reply } = await askedFor({ kind: 'hidden-read', path: '/home/u/.config/foo' }, 'once');
  expect(asked.toolCall.title).toBe('A command wanted to read /home/u/.config/foo');
  expect(asked.options[0]).toMatchObject({ optionId: 'once', name: 'Allow for this session' });
  expect(reply).toEqual({ isGiven: true });
});

test.each([
  [['git status', 'npm test'], 'Allow for this session: git status …, npm test …'],
  [[], 'Allow for this session: this exact command'],
])('an editor is offered the session for %j of a command', async (prefixes, name) => {
  const { asked, reply } = await askedFor({ kind: 'shell', command: 'git status && npm test', prefixes }, 'session');
  expect(asked.options[1]).toEqual({ optionId: 'session', name, kind: 'allow_always' });
  expect(JSON.stringify(asked.toolCall.content)).not.toContain('prefissi');
  expect(reply).toEqual({ isGiven: true, wholeSession: 'command' });
});

test('an editor is not offered the session for a command whose answer would name no prefix', async () => {
  expect(optionsOf((await askedFor({ kind: 'shell', command: 'npm test' }, 'deny')).asked)).toEqual(['once', 'deny']);
});

test('an editor shows all of a command, also what Markdown would hide or direction marks would turn around', async () => {
  const command = 'echo ok <!-- \u202e\n```\nrm -rf x # --> [done](;rm)';
  const { asked } = await askedFor({ kind: 'shell', command }, 'deny');
  const text = '````\necho ok <!-- <U+202E>\n```\nrm -rf x # --> [done](;rm)\n````';
  expect(asked.toolCall.content).toEqual([{ type: 'content', content: { type: 'text', text } }]);
  expect(asked.toolCall.title).toContain('<!-- <U+202E> ``` rm -rf x # --> [done](;rm)');
});

test('an editor shows everything that would be done, also the arguments for a server', async () => {
  const shown = async (action: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const { asked } = await askedFor(action, 'deny');
    return asked.toolCall.content?.map((one) =>
      one.type === 'content' ? (one.content as { text: string }).text : one,
    );
  };
  const args = { path: '/etc/a\u202e', depth: [1] };
  expect(await shown({ kind: 'mcp_disk_move', server: 'disk', tool: 'move', arguments: args })).toEqual([
    [
      '```',
      'server: disk',
      'tool: move',
      'arguments: {',
      '  "path": "/etc/a<U+202E>",',
      '  "depth": [',
      '    1',
      '  ]',
      '}',
      '```',
    ].join('\n'),
  ]);
  expect(
    await shown({ kind: 'shell', command: 'make\ndescription: a', description: 'Builds', background: true }),
  ).toEqual(['```\nmake\ndescription: a\n```', '```\nThe model says: “Builds”\nin the background\n```']);
  expect(
    await shown({
      kind: 'modifica',
      path: '.envrc',
      oldText: 'a',
      newText: 'b',
      all: true,
      reason: 'control-file',
    }),
  ).toEqual([
    { type: 'diff', path: '/work/.envrc', oldText: 'a', newText: 'b' },
    'every occurrence',
    'This file can run code or grant more permissions later.',
  ]);
});
