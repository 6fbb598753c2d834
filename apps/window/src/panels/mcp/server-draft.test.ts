import { expect, test } from '@jest/globals';
import type { McpServer } from '../../wire/mcp-servers.ts';
import { draftOf, emptyDraft, namedSecrets, newField, problemOf, savedOf } from './server-draft.ts';

const SERVER: McpServer = {
  name: 'git',
  scope: 'project',
  folder: '/p',
  definition: {
    command: 'npx',
    arguments: ['-y', 'server', '--key=${secret:ARG}'],
    workingFolder: '/p/sub',
    environment: { TOKEN: '${secret:TOKEN}', MODE: 'x', MIXED: 'a ${secret:OTHER}' },
    headers: {},
  },
  allowed: null,
  secrets: [
    { name: 'TOKEN', isSaved: true },
    { name: 'ARG', isSaved: true },
    { name: 'OTHER', isSaved: false },
  ],
  isOn: true,
  offTools: [],
  state: 'stopped',
  error: null,
  signIn: 'none',
  tools: null,
  isReplaced: false,
  calls: null,
};

test('a server that is edited without a change is saved as it was, without secrets', () => {
  const draft = draftOf(SERVER);
  expect(draft.environment.map(({ name, value, isSecret, isStored }) => [name, value, isSecret, isStored])).toEqual([
    ['TOKEN', '', true, true],
    ['MODE', 'x', false, false],
    ['MIXED', 'a ${secret:OTHER}', false, false],
  ]);
  expect(namedSecrets(draft)).toEqual(['ARG', 'OTHER']);
  expect(savedOf(draft, {})).toEqual({
    name: 'git',
    scope: 'project',
    definition: SERVER.definition,
    secrets: {},
  });
});

test('typed secrets are sent apart from the definition', () => {
  const draft = {
    ...emptyDraft('everywhere'),
    name: 'web',
    kind: 'http' as const,
    url: ' https://a.example/mcp?key=${secret:KEY} ',
    headers: [newField({ name: ' X-Token ', value: 'typed', isSecret: true }), newField({ value: 'no name' })],
  };
  expect(savedOf(draft, { KEY: 'named', OTHER: 'unused' })).toEqual({
    name: 'web',
    scope: 'everywhere',
    definition: {
      url: 'https://a.example/mcp?key=${secret:KEY}',
      arguments: [],
      environment: {},
      headers: { 'X-Token': '${secret:X-Token}' },
    },
    secrets: { 'X-Token': 'typed', KEY: 'named' },
  });
});

test('a command line in the program field is split', () => {
  const draft = { ...emptyDraft('everywhere'), name: 'a', command: 'npx -y "my server" --flag' };
  expect(savedOf(draft, {}).definition).toMatchObject({ command: 'npx', arguments: ['-y', 'my server', '--flag'] });
  const given = { ...draft, command: '/opt/My App/run', args: 'one\n\ntwo words' };
  expect(savedOf(given, {}).definition).toMatchObject({ command: '/opt/My App/run', arguments: ['one', 'two words'] });
});

test('a name, and a program or an address, are required', () => {
  const draft = { ...emptyDraft('everywhere'), name: 'a', command: 'x' };
  expect(problemOf(draft)).toBeUndefined();
  for (const name of ['', 'a b', '../a', 'a..b', '-a']) expect(problemOf({ ...draft, name })).toBe('name');
  expect(problemOf({ ...draft, command: ' ' })).toBe('command');
  expect(problemOf({ ...draft, kind: 'http' })).toBe('url');
});

test('a client secret in the key store is kept until a new one is typed', () => {
  const definition = {
    url: 'https://a.example/mcp',
    arguments: [],
    environment: {},
    headers: {},
    client: { id: 'mine', secret: '${secret:CLIENT_SECRET}' },
  };
  const draft = draftOf({ ...SERVER, definition });
  expect(savedOf(draft, {}).definition).toEqual(definition);
  const saved = (more: Partial<typeof draft.client>) =>
    savedOf({ ...draft, client: { ...draft.client, ...more } }, {}).definition.client;
  expect(saved({ secret: 'typed' })).toEqual({ id: 'mine', secret: 'typed' });
  expect(saved({ id: ' ' })).toBeUndefined();
});

test('a client that needs no sign-in has the fields of its way, and only those', () => {
  const client = { ...emptyDraft('everywhere').client, id: 'worker', tokenFile: '/run/token', mode: 'upload' as const };
  const draft = { ...emptyDraft('everywhere'), name: 'a', kind: 'http' as const, url: 'https://a.example/mcp', client };
  expect(problemOf(draft)).toBe('issuer');
  const complete = { ...draft, client: { ...client, issuer: 'https://login.example', secret: 'unused' } };
  expect(problemOf(complete)).toBeUndefined();
  expect(savedOf(complete, {}).definition.client).toEqual({
    id: 'worker',
    mode: 'upload',
    issuer: 'https://login.example',
    tokenFile: '/run/token',
  });
  const credentials = { ...client, mode: 'credentials' as const, issuer: 'https://login.example' };
  expect(problemOf({ ...draft, client: credentials })).toBe('secret');
  expect(problemOf({ ...draft, client: { ...credentials, keyFile: '/run/key.pem' } })).toBeUndefined();
});
