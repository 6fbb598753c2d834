import { expect, test } from '@jest/globals';
import type { McpServer } from '../../wire/mcp-servers.ts';
import { draftOf, emptyDraft, namedSecrets, newField, problemOf, savedOf } from './server-draft.ts';

const SERVER: McpServer = {
  nome: 'git',
  ambito: 'progetto',
  cartella: '/p',
  definizione: {
    comando: 'npx',
    argomenti: ['-y', 'server', '--key=${secret:ARG}'],
    cartellaDiLavoro: '/p/sub',
    ambiente: { TOKEN: '${secret:TOKEN}', MODE: 'x', MIXED: 'a ${secret:OTHER}' },
    intestazioni: {},
  },
  consentiti: null,
  segreti: [
    { nome: 'TOKEN', salvato: true },
    { nome: 'ARG', salvato: true },
    { nome: 'OTHER', salvato: false },
  ],
  attivo: true,
  strumentiSpenti: [],
  stato: 'fermo',
  errore: null,
  accesso: 'nessuno',
  strumenti: null,
  sostituito: false,
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
    nome: 'git',
    ambito: 'progetto',
    definizione: SERVER.definizione,
    segreti: {},
  });
});

test('typed secrets are sent apart from the definition', () => {
  const draft = {
    ...emptyDraft('ovunque'),
    name: 'web',
    kind: 'http' as const,
    url: ' https://a.example/mcp?key=${secret:KEY} ',
    headers: [newField({ name: ' X-Token ', value: 'typed', isSecret: true }), newField({ value: 'no name' })],
  };
  expect(savedOf(draft, { KEY: 'named', OTHER: 'unused' })).toEqual({
    nome: 'web',
    ambito: 'ovunque',
    definizione: {
      url: 'https://a.example/mcp?key=${secret:KEY}',
      argomenti: [],
      ambiente: {},
      intestazioni: { 'X-Token': '${secret:X-Token}' },
    },
    segreti: { 'X-Token': 'typed', KEY: 'named' },
  });
});

test('a command line in the program field is split', () => {
  const draft = { ...emptyDraft('ovunque'), name: 'a', command: 'npx -y "my server" --flag' };
  expect(savedOf(draft, {}).definizione).toMatchObject({ comando: 'npx', argomenti: ['-y', 'my server', '--flag'] });
  const given = { ...draft, command: '/opt/My App/run', args: 'one\n\ntwo words' };
  expect(savedOf(given, {}).definizione).toMatchObject({ comando: '/opt/My App/run', argomenti: ['one', 'two words'] });
});

test('a name, and a program or an address, are required', () => {
  const draft = { ...emptyDraft('ovunque'), name: 'a', command: 'x' };
  expect(problemOf(draft)).toBeUndefined();
  for (const name of ['', 'a b', '../a', 'a..b', '-a']) expect(problemOf({ ...draft, name })).toBe('name');
  expect(problemOf({ ...draft, command: ' ' })).toBe('command');
  expect(problemOf({ ...draft, kind: 'http' })).toBe('url');
});

test('a client secret in the key store is kept until a new one is typed', () => {
  const definizione = {
    url: 'https://a.example/mcp',
    argomenti: [],
    ambiente: {},
    intestazioni: {},
    client: { id: 'mine', segreto: '${secret:CLIENT_SECRET}' },
  };
  const draft = draftOf({ ...SERVER, definizione });
  expect(savedOf(draft, {}).definizione).toEqual(definizione);
  const saved = (more: Partial<typeof draft.client>) =>
    savedOf({ ...draft, client: { ...draft.client, ...more } }, {}).definizione.client;
  expect(saved({ segreto: 'typed' })).toEqual({ id: 'mine', segreto: 'typed' });
  expect(saved({ id: ' ' })).toBeUndefined();
});

test('a client that needs no sign-in has the fields of its way, and only those', () => {
  const client = { ...emptyDraft('ovunque').client, id: 'worker', fileToken: '/run/token', modo: 'carico' as const };
  const draft = { ...emptyDraft('ovunque'), name: 'a', kind: 'http' as const, url: 'https://a.example/mcp', client };
  expect(problemOf(draft)).toBe('emittente');
  const complete = { ...draft, client: { ...client, emittente: 'https://login.example', segreto: 'unused' } };
  expect(problemOf(complete)).toBeUndefined();
  expect(savedOf(complete, {}).definizione.client).toEqual({
    id: 'worker',
    modo: 'carico',
    emittente: 'https://login.example',
    fileToken: '/run/token',
  });
  const credentials = { ...client, modo: 'credenziali' as const, emittente: 'https://login.example' };
  expect(problemOf({ ...draft, client: credentials })).toBe('segreto');
  expect(problemOf({ ...draft, client: { ...credentials, fileChiave: '/run/key.pem' } })).toBeUndefined();
});
