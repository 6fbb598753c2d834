import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { covers, refuses, refusesEach } from '../covers.ts';
import { type TestServer, testServer } from '../harness.ts';

let server: TestServer;
let cartella: string;
beforeAll(async () => {
  server = await testServer();
  cartella = await realpath(server.project.path);
});
afterAll(async () => server[Symbol.asyncDispose]());

const put = async (path: string, text: string): Promise<void> => {
  await mkdir(join(cartella, path, '..'), { recursive: true });
  await writeFile(join(cartella, path), text);
};
const here = { ambito: 'progetto' };
type Kind = 'hook' | 'skill';
const add = (kind: Kind, body: object) =>
  server.call('POST', `/ext/${kind}s`, { body: { ...here, cartella, ...body } });
const change = (kind: Kind, id: string, body: object) =>
  server.call('PATCH', `/ext/${kind}s/${id}`, { body: { ...here, cartella, ...body } });
const act = (kind: Kind, id: string, what: string, body: object = {}) =>
  server.call('POST', `/ext/${kind}s/${id}/${what}`, { body: { ...here, cartella, ...body } });
const remove = (kind: Kind, id: string, query: Record<string, string> = {}) =>
  server.call('DELETE', `/ext/${kind}s/${id}`, { query: { ...here, cartella, ...query } });
const list = async (kind: Kind, query: Record<string, string> = { cartella }) =>
  (await server.call('GET', `/ext/${kind}s`, { query })).data;

const definizione = { eventi: ['pre_tool_call'], comando: 'node guard.cjs' };
const testo = { nome: 'Release', descrizione: 'How we release', istruzioni: '1. Tag.\n' };

beforeEach(async () => {
  await put('.svc/hooks.json', '{"hooks":[]}');
  await put('guard.cjs', 'process.stderr.write("not today"); process.exit(1)');
  for (const kind of ['hook', 'skill'] as const) {
    for (const { id, ambito } of (await list(kind))[`${kind}s`]) await remove(kind, id, { ambito });
  }
});

covers('ext.hooks.add', 'adds a hook that runs at once', async () => {
  const reply = await add('hook', { id: 'guard', definizione: { ...definizione, filtro: 'leggi', limiteSecondi: 20 } });
  expect([reply.status, reply.data.hook]).toEqual([
    201,
    {
      id: 'guard',
      ambito: 'progetto',
      definizione: { ...definizione, filtro: 'leggi', limiteSecondi: 20 },
      attivo: true,
      stato: 'attivo',
      errore: null,
    },
  ]);
  let told = '';
  server.model.script(({ lastRole, body }) => {
    if (lastRole !== 'tool') return { toolCalls: [{ name: 'leggi', arguments: { percorso: 'guard.cjs' } }] };
    told = JSON.stringify(body);
    return { text: 'Done.' };
  });
  await server.settled(await server.startSession());
  expect(told).toContain('Refused by the hook guard: not today');
});

covers('ext.hooks.list', 'lists the hooks of the user and the untrusted ones of the project', async () => {
  await put('.svc/hooks.json', JSON.stringify({ hooks: [{ id: 'brought', ...definizione }] }));
  await add('hook', { id: 'mine', ambito: 'ovunque', definizione: { ...definizione, comando: 'echo' } });
  expect(await list('hook')).toMatchObject({
    errore: null,
    hooks: [
      { id: 'mine', ambito: 'ovunque', stato: 'attivo' },
      { id: 'brought', ambito: 'file', stato: 'non-fidato', definizione },
    ],
  });
  expect(await list('hook', {})).toMatchObject({ hooks: [{ id: 'mine' }] });
  await put('.svc/hooks.json', '{\n "hooks": [{ "id": "x", "events": ["later"], "command": "c" }]\n}');
  expect(await list('hook')).toMatchObject({
    errore:
      '.svc/hooks.json:2:36: hooks.0.events.0: expected "pre_tool_call", "post_tool_call", "session_start", "session_end"',
    hooks: [{ id: 'mine' }],
  });
});

const HOOK_REFUSALS: [object, string][] = [
  [{ id: 'present' }, 'exists'],
  [{ id: '../up' }, 'definition'],
  [{ id: 'a', definizione: { ...definizione, eventi: [] } }, 'definition'],
  [{ id: 'a', definizione: { ...definizione, limiteSecondi: 601 } }, 'definition'],
  [{ id: 'a', definizione: { ...definizione, filtro: '(a+)+' } }, 'definition'],
  [{ id: 'a', definizione: { ...definizione, comando: 'no-such-program' } }, 'program'],
];

refuses('ext.hooks.add', 'HOOK_INVALID', 'for a malformed hook, one that cannot run or a name in use', async () => {
  await add('hook', { id: 'present', definizione });
  for (const [body, reason] of HOOK_REFUSALS) {
    const reply = await add('hook', { definizione, ...body });
    expect([body, reply.status, reply.code, reply.reason]).toEqual([body, 422, 'HOOK_INVALID', reason]);
    expect(reply.error?.explanation).not.toContain('expected format');
  }
  const nowhere = await server.call('POST', '/ext/hooks', { body: { id: 'a', ambito: 'progetto', definizione } });
  expect([nowhere.status, nowhere.code, nowhere.reason]).toEqual([400, 'QUERY_INVALID', 'extension-place']);
  expect((await list('hook')).hooks).toHaveLength(1);
});

covers('ext.hooks.change', 'replaces the definition of a hook', async () => {
  await add('hook', { id: 'mine', definizione: { ...definizione, filtro: 'shell' } });
  const reply = await change('hook', 'mine', { definizione: { eventi: ['session_end'], comando: 'echo bye' } });
  expect(reply.data.hook).toMatchObject({
    stato: 'attivo',
    definizione: { eventi: ['session_end'], comando: 'echo bye' },
  });
  expect(reply.data.hook.definizione).not.toHaveProperty('filtro');
  const absent = await change('hook', 'absent', { definizione });
  expect([absent.status, absent.code]).toEqual([404, 'NOT_FOUND']);
});

refuses('ext.hooks.change', 'HOOK_INVALID', 'for a program that is not there, and keeps the hook', async () => {
  await add('hook', { id: 'mine', definizione });
  const reply = await change('hook', 'mine', { definizione: { ...definizione, comando: 'no-such-program' } });
  expect([reply.status, reply.code, reply.reason]).toEqual([422, 'HOOK_INVALID', 'program']);
  expect((await list('hook')).hooks).toMatchObject([{ definizione }]);
});

covers('ext.hooks.turn', 'turns a hook off and on', async () => {
  await add('hook', { id: 'mine', definizione });
  expect((await act('hook', 'mine', 'choices', { attivo: false })).data.hook).toMatchObject({
    attivo: false,
    stato: 'spento',
  });
  expect((await act('hook', 'mine', 'choices', { attivo: true })).data.hook).toMatchObject({
    attivo: true,
    stato: 'attivo',
  });
  expect((await act('hook', 'absent', 'choices', { attivo: true })).code).toBe('NOT_FOUND');
});

covers(
  'ext.hooks.trust',
  'lets a hook of the project run as it is now, and a changed one of the user again',
  async () => {
    await put('.svc/hooks.json', JSON.stringify({ hooks: [{ id: 'brought', ...definizione }] }));
    await add('hook', { id: 'mine', definizione });
    expect((await act('hook', 'brought', 'trust', { ambito: 'file' })).data.hook.stato).toBe('attivo');
    await put('guard.cjs', '// changed');
    expect((await list('hook')).hooks).toMatchObject([{ stato: 'non-fidato' }, { stato: 'non-fidato' }]);
    expect((await act('hook', 'mine', 'trust')).data.hook.stato).toBe('attivo');
  },
);

refuses('ext.hooks.trust', 'HOOK_INVALID', 'for a program that a hook of a project may not run', async () => {
  await put('.svc/hooks.json', JSON.stringify({ hooks: [{ id: 'brought', ...definizione, comando: 'sh x' }] }));
  const reply = await act('hook', 'brought', 'trust', { ambito: 'file' });
  expect([reply.status, reply.code, reply.reason]).toEqual([422, 'HOOK_INVALID', 'program']);
});

covers('ext.hooks.remove', 'removes a hook once', async () => {
  await add('hook', { id: 'mine', definizione });
  expect((await remove('hook', 'mine')).data).toEqual({ ok: true });
  expect((await list('hook')).hooks).toEqual([]);
  expect((await remove('hook', 'mine')).code).toBe('NOT_FOUND');
});

refuses('ext.hooks.remove', 'HOOK_INVALID', 'for a hook that a file declares', async () => {
  await put('.svc/hooks.json', JSON.stringify({ hooks: [{ id: 'brought', ...definizione }] }));
  const reply = await remove('hook', 'brought', { ambito: 'file' });
  expect([reply.status, reply.code, reply.reason]).toEqual([422, 'HOOK_INVALID', 'declared-by-file']);
});

covers('ext.skills.add', 'writes a skill into the project, and agents are offered it', async () => {
  const reply = await add('skill', { id: 'release', ...testo });
  expect([reply.status, reply.data.skill]).toEqual([
    201,
    {
      id: 'release',
      ambito: 'progetto',
      nome: 'Release',
      descrizione: 'How we release',
      attivo: true,
      sostituita: false,
      file: '.svc/skills/release/SKILL.md',
      errore: null,
    },
  ]);
  expect(await readFile(join(cartella, '.svc/skills/release/SKILL.md'), 'utf8')).toBe(
    '---\nname: Release\ndescription: How we release\n---\n\n1. Tag.\n',
  );
  let offered = '';
  server.model.script(({ body }) => {
    offered = JSON.stringify(body.tools);
    return { text: 'Done.' };
  });
  await server.settled(await server.startSession());
  expect(offered).toContain('release: How we release');
});

refuses('ext.skills.add', 'FILE_EXISTS', 'for the folder of another skill', async () => {
  await add('skill', { id: 'release', ...testo });
  const reply = await add('skill', { id: 'release', ...testo, nome: 'Other' });
  expect([reply.status, reply.code]).toEqual([409, 'FILE_EXISTS']);
  expect((await list('skill')).skills).toMatchObject([{ nome: 'Release' }]);
  const bad = await add('skill', { id: 'a b', ...testo });
  expect([bad.status, bad.code, bad.reason]).toEqual([400, 'QUERY_INVALID', 'skill-id']);
});

refuses('ext.skills.add', 'FILE_TOO_LARGE', 'above 64 KiB', async () => {
  const reply = await add('skill', { id: 'long', ...testo, istruzioni: 'x'.repeat(70_000) });
  expect([reply.status, reply.code]).toEqual([413, 'FILE_TOO_LARGE']);
  expect((await list('skill')).skills).toEqual([]);
});

covers('ext.skills.list', 'lists skills of the project and of the user, also a broken one', async () => {
  await add('skill', { id: 'release', ambito: 'ovunque', ...testo });
  await add('skill', { id: 'release', ...testo });
  await put('.svc/skills/broken/SKILL.md', 'no head');
  expect((await list('skill')).skills).toMatchObject([
    { id: 'broken', ambito: 'progetto', errore: expect.any(String) },
    { id: 'release', ambito: 'progetto', sostituita: false },
    { id: 'release', ambito: 'ovunque', sostituita: true },
  ]);
  expect((await list('skill', {})).skills).toMatchObject([{ ambito: 'ovunque' }]);
});

covers('ext.skills.read', 'reads the text of a skill', async () => {
  await add('skill', { id: 'release', ...testo });
  await put('.svc/skills/release/tag.sh', 'git tag');
  const query = { ...here, cartella };
  expect((await server.call('GET', '/ext/skills/release', { query })).data.skill).toEqual({
    ...testo,
    altriFile: ['tag.sh'],
  });
  expect((await server.call('GET', '/ext/skills/absent', { query })).code).toBe('NOT_FOUND');
});

covers('ext.skills.change', 'writes a skill anew', async () => {
  await put('.svc/skills/release/SKILL.md', '---\nname: Old\nlicense: MIT\ndescription: Old\n---\nOld.\n');
  expect((await change('skill', 'release', testo)).data.skill).toMatchObject({ nome: 'Release' });
  expect(await readFile(join(cartella, '.svc/skills/release/SKILL.md'), 'utf8')).toBe(
    '---\nname: Release\nlicense: MIT\ndescription: How we release\n---\n\n1. Tag.\n',
  );
  expect((await change('skill', 'absent', testo)).code).toBe('NOT_FOUND');
});

refuses('ext.skills.change', 'FILE_TOO_LARGE', 'above 64 KiB, and keeps the skill', async () => {
  await add('skill', { id: 'release', ...testo });
  const reply = await change('skill', 'release', { ...testo, istruzioni: 'x'.repeat(70_000) });
  expect([reply.status, reply.code]).toEqual([413, 'FILE_TOO_LARGE']);
  const { data } = await server.call('GET', '/ext/skills/release', { query: { ...here, cartella } });
  expect(data.skill.istruzioni).toBe(testo.istruzioni);
});

covers('ext.skills.turn', 'turns a skill off and on', async () => {
  await add('skill', { id: 'release', ...testo });
  expect((await act('skill', 'release', 'choices', { attivo: false })).data.skill).toMatchObject({ attivo: false });
  expect((await act('skill', 'release', 'choices', { attivo: true })).data.skill).toMatchObject({ attivo: true });
});

covers('ext.skills.remove', 'removes a skill once', async () => {
  await add('skill', { id: 'release', ...testo });
  expect((await remove('skill', 'release')).data).toEqual({ ok: true });
  expect((await remove('skill', 'release')).code).toBe('NOT_FOUND');
});

test('a skill is not written into a folder that cannot be written', async () => {
  await rm(join(cartella, '.svc/skills'), { recursive: true, force: true });
  await put('.svc/skills', 'a file');
  const reply = await add('skill', { id: 'release', ...testo });
  expect([reply.status, reply.code]).toEqual([422, 'WORKSPACE_NOT_AVAILABLE']);
});

refusesEach(
  'WORKSPACE_NOT_AVAILABLE',
  [
    'ext.hooks.list',
    'ext.hooks.add',
    'ext.hooks.change',
    'ext.hooks.remove',
    'ext.hooks.turn',
    'ext.hooks.trust',
    'ext.skills.list',
    'ext.skills.read',
    'ext.skills.add',
    'ext.skills.change',
    'ext.skills.remove',
    'ext.skills.turn',
  ],
  async (operation) => {
    const place = { cartella: join(cartella, 'absent') };
    const [, kinds = '', what = ''] = operation.split('.');
    const kind = kinds.slice(0, -1) as Kind;
    const body = kind === 'hook' ? { definizione } : testo;
    const calls: Record<string, () => ReturnType<typeof add>> = {
      list: () => server.call('GET', `/ext/${kind}s`, { query: place }),
      read: () => server.call('GET', `/ext/${kind}s/a`, { query: { ...here, ...place } }),
      add: () => add(kind, { id: 'a', ...body, ...place }),
      change: () => change(kind, 'a', { ...body, ...place }),
      remove: () => remove(kind, 'a', place),
      turn: () => act(kind, 'a', 'choices', { attivo: true, ...place }),
      trust: () => act(kind, 'a', 'trust', place),
    };
    const reply = await calls[what]?.();
    expect([reply?.code]).toEqual(['WORKSPACE_NOT_AVAILABLE']);
  },
);

test('a page of another origin changes no hook and no skill', async () => {
  const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' };
  for (const [method, path] of [
    ['POST', '/hooks'],
    ['PATCH', '/hooks/a'],
    ['DELETE', '/hooks/a'],
    ['POST', '/hooks/a/choices'],
    ['POST', '/hooks/a/trust'],
    ['POST', '/skills'],
    ['PATCH', '/skills/a'],
    ['DELETE', '/skills/a'],
    ['POST', '/skills/a/choices'],
  ] as const) {
    const reply = await server.call(method, `/ext${path}`, { headers, ...(method !== 'DELETE' && { body: {} }) });
    expect([path, reply.status, reply.code]).toEqual([path, 403, 'ORIGIN_FORBIDDEN']);
  }
});
