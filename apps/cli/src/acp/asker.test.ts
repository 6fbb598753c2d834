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
  ['a host', { tipo: 'rete', host: 'example.org', porta: 443 }, ['once', 'session', 'project', 'deny']],
  [
    'a control file',
    { tipo: 'scrivi', percorso: '.envrc', contenuto: 'x', motivo: 'file-di-controllo' },
    ['once', 'project', 'deny'],
  ],
  ['a hidden file', { tipo: 'lettura', percorso: '/home/u/.config/foo' }, ['once', 'project', 'deny']],
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
  const action = { tipo: 'mcp__notes__add', server: 'notes', attrezzo: 'add', argomenti: {}, chiede: 'server' };
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
  const action = { tipo: 'mcp__notes__add', server: 'notes', attrezzo: 'add', argomenti: {} };
  const { asked, reply } = await askedFor({ ...action, chiede: 'attrezzo' }, 'once');
  expect(optionsOf(asked)).toEqual(['once', 'tool', 'deny']);
  expect(reply).toEqual({ isGiven: true });
  expect(optionsOf((await askedFor(action, 'once')).asked)).toEqual(['once', 'deny']);
});

test('an editor is offered no rule for what git runs, and the session for a hidden file', async () => {
  const hook = { tipo: 'scrivi', percorso: '.git/hooks/pre-commit', contenuto: 'x', motivo: 'file-di-controllo' };
  expect(optionsOf((await askedFor(hook, 'deny')).asked)).toEqual(['once', 'deny']);
  const { asked, reply } = await askedFor({ tipo: 'lettura', percorso: '/home/u/.config/foo' }, 'once');
  expect(asked.toolCall.title).toBe('A command wanted to read /home/u/.config/foo');
  expect(asked.options[0]).toMatchObject({ optionId: 'once', name: 'Allow for this session' });
  expect(reply).toEqual({ isGiven: true });
});

test.each([
  [['git status', 'npm test'], 'Allow for this session: git status …, npm test …'],
  [[], 'Allow for this session: this exact command'],
])('an editor is offered the session for %j of a command', async (prefissi, name) => {
  const { asked, reply } = await askedFor({ tipo: 'shell', comando: 'git status && npm test', prefissi }, 'session');
  expect(asked.options[1]).toEqual({ optionId: 'session', name, kind: 'allow_always' });
  expect(JSON.stringify(asked.toolCall.content)).not.toContain('prefissi');
  expect(reply).toEqual({ isGiven: true, wholeSession: 'command' });
});

test('an editor is not offered the session for a command whose answer would name no prefix', async () => {
  expect(optionsOf((await askedFor({ tipo: 'shell', comando: 'npm test' }, 'deny')).asked)).toEqual(['once', 'deny']);
});

test('an editor shows all of a command, also what Markdown would hide or direction marks would turn around', async () => {
  const comando = 'echo ok <!-- \u202e\n```\nrm -rf x # --> [done](;rm)';
  const { asked } = await askedFor({ tipo: 'shell', comando }, 'deny');
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
  const argomenti = { path: '/etc/a\u202e', depth: [1] };
  expect(await shown({ tipo: 'mcp_disk_move', server: 'disk', attrezzo: 'move', argomenti })).toEqual([
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
  expect(await shown({ tipo: 'shell', comando: 'make\ndescription: a', descrizione: 'Builds', sfondo: true })).toEqual([
    '```\nmake\ndescription: a\n```',
    '```\nThe model says: “Builds”\nin the background\n```',
  ]);
  expect(
    await shown({
      tipo: 'modifica',
      percorso: '.envrc',
      vecchio: 'a',
      nuovo: 'b',
      tutte: true,
      motivo: 'file-di-controllo',
    }),
  ).toEqual([
    { type: 'diff', path: '/work/.envrc', oldText: 'a', newText: 'b' },
    'every occurrence',
    'This file can run code or grant more permissions later.',
  ]);
});
