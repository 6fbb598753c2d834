import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Host } from '@fucina/host';
import { createHost } from '@fucina/host';
import { systemAmbient } from '@fucina/shared';
import { modelProgram, tinyModel } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { plain, type TestComputer, testComputer } from './harness.ts';

const json = async (computer: TestComputer, ...args: string[]): Promise<any> =>
  JSON.parse((await computer.run([...args, '--json'])).stdout);
const said = async (computer: TestComputer, ...args: string[]): Promise<string> =>
  plain((await computer.run(args)).stdout);

/** The tasks of a server: on the same data folder, in this process. */
async function asServer<Result>(
  computer: TestComputer,
  act: (services: Host['services']) => Promise<Result>,
): Promise<Result> {
  const host = await createHost({
    ambient: systemAmbient('silent'),
    version: '0',
    dataDir: computer.dataDir,
    projects: [],
    model: 'ollama:tiny',
    keyStore: 'memory',
    publicCatalog: false,
    environment: computer.env,
    background: true,
  });
  try {
    return await act(host.services);
  } finally {
    await host.close();
  }
}

describe('notes', () => {
  test('can be added, searched, read by id prefix, and deleted', async () => {
    await using computer = await testComputer([]);
    expect(await said(computer, 'notes')).toBe('No notes.\n');
    expect(await said(computer, 'notes', 'add', 'Herons', 'They eat fish.')).toMatch(/^Added: [0-9a-f]{8}\n$/);
    expect((await computer.run(['notes', 'add', 'From a pipe'], { input: 'long text' })).exit).toBe(0);
    const { notes } = await json(computer, 'notes');
    expect(notes.map(({ title }: { title: string }) => title)).toEqual(['From a pipe', 'Herons']);
    expect((await json(computer, 'notes', 'list', 'heron')).notes).toHaveLength(1);
    const id = notes[1].id.slice(0, 8);
    expect(await said(computer, 'notes', 'show', id)).toBe('Herons\n\nThey eat fish.\n');
    expect(await said(computer, 'notes', 'delete', id)).toBe('Deleted: Herons\n');
    expect((await json(computer, 'notes')).notes).toHaveLength(1);
  });

  test('an invalid or missing note is reported and changes nothing', async () => {
    await using computer = await testComputer([]);
    const long = await computer.run(['notes', 'add', 'x'.repeat(121), 'y']);
    expect(long).toMatchObject({ exit: 1, stderr: expect.stringContaining('[NOTE_INVALID]') });
    expect((await computer.run(['notes', 'show', 'none'])).stderr).toContain('[NOT_FOUND]');
    expect((await computer.run(['notes', 'add'])).exit).toBe(2);
    expect((await json(computer, 'notes')).notes).toEqual([]);
  });

  test('control characters in a note are escaped', async () => {
    await using computer = await testComputer([]);
    await computer.run(['notes', 'add', 'a\x1b[2Jb', 'c\x07']);
    expect(await said(computer, 'notes')).toContain('a␛[2Jb');
  });
});

describe('tasks', () => {
  test('move from to-do to done and back, and done tasks are listed on request', async () => {
    await using computer = await testComputer([]);
    const { id } = await json(computer, 'tasks', 'add', 'Fix it', 'soon', '--priority', 'high');
    expect(await said(computer, 'tasks')).toMatch(/^[0-9a-f]{8} {2}to do {2}high {2}\S+ \S+ {2}Fix it\n$/);
    expect(await said(computer, 'tasks', 'start', id)).toBe('in progress: Fix it\n');
    await computer.run(['tasks', 'done', id]);
    expect(await said(computer, 'tasks')).toBe('No open tasks.\n');
    expect((await json(computer, 'tasks', '--all')).tasks).toMatchObject([{ status: 'done', priority: 'high' }]);
    await computer.run(['tasks', 'reopen', id]);
    expect((await json(computer, 'tasks')).tasks).toHaveLength(1);
    expect(await said(computer, 'tasks', 'delete', id)).toBe('Deleted: Fix it\n');
    expect((await computer.run(['tasks', 'add', 'x', '--priority', 'odd'])).exit).toBe(2);
  });
});

test('a memory with an existing title is stored once', async () => {
  await using computer = await testComputer([]);
  const first = await json(computer, 'memory', 'add', 'Tabs', 'Two spaces.', '--kind', 'policy_note');
  expect(first).toMatchObject({ kind: 'policy_note', isDuplicate: false });
  expect(await said(computer, 'memory', 'add', 'tabs', 'Four.')).toMatch(/^Already exists: /);
  expect(await said(computer, 'memory')).toMatch(/ {2}rule {2}Tabs {2}Two spaces\.\n$/);
  await computer.run(['memory', 'delete', first.id]);
  expect(await said(computer, 'memory')).toBe('No memories.\n');
});

test('lists no research in an empty folder and reports an unknown report', async () => {
  await using computer = await testComputer([]);
  expect(await said(computer, 'research')).toBe('No research reports in this folder.\n');
  for (const act of ['show', 'export', 'delete']) {
    expect((await computer.run(['research', act, 'none'])).stderr).toContain('[NOT_FOUND]');
  }
});

test('reads and deletes a research report and never overwrites a file on export', async () => {
  await using computer = await testComputer([]);
  const id = '11111111-2222-4333-8444-555555555555';
  const folder = join(computer.project.path, '.svc', 'research', id);
  mkdirSync(folder, { recursive: true });
  const meta = {
    formato: 2,
    id,
    domanda: 'What do herons eat?',
    profondita: 'quick',
    titolo: null,
    avviataAlle: '2026-01-02T03:04:05.000Z',
    aggiornataAlle: '2026-01-02T03:04:05.000Z',
    terminata: 'done',
    reportLibraryId: null,
    conclusaAlle: '2026-01-02T03:05:05.000Z',
    ultimoMessaggio: null,
    motivoDettaglio: null,
    padreId: null,
    nome: null,
  };
  writeFileSync(join(folder, 'meta.json'), JSON.stringify(meta));
  writeFileSync(join(folder, 'rapporto.md'), '# Herons\n\nThey eat fish.\n');
  expect((await json(computer, 'research')).research).toMatchObject([
    { id, question: 'What do herons eat?', state: 'done' },
  ]);
  expect(await said(computer, 'research', 'show', '1111')).toContain('They eat fish.');
  const exported = await computer.run(['research', 'export', id, '--format', 'md', '-o', 'out.md']);
  expect(exported).toMatchObject({ exit: 0, stdout: `Saved: ${join(computer.project.path, 'out.md')}\n` });
  expect(readFileSync(join(computer.project.path, 'out.md'), 'utf8')).toContain('They eat fish.');
  expect(await computer.run(['research', 'export', id, '-o', 'out.md'])).toMatchObject({
    exit: 1,
    stderr: expect.stringContaining('already exists'),
  });
  expect(await said(computer, 'research', 'delete', id)).toBe('Deleted: What do herons eat?\n');
  expect((await json(computer, 'research')).research).toEqual([]);
});

test('lists automations with their schedules, toggles and deletes them, and shows their runs', async () => {
  await using computer = await testComputer(() => ({ text: 'Two tests fail.' }));
  expect(await said(computer, 'automations')).toBe('No automations.\n');
  const id = await asServer(computer, async ({ automations }) => {
    const made = await automations.create(
      {
        name: 'Morning',
        instructions: 'Look at the tests.',
        folder: computer.project.path,
        model: 'ollama:tiny',
        schedule: { kind: 'weekly', time: '09:00', day: 1 },
        zone: 'Europe/Rome',
      },
      { kind: 'window' },
    );
    await automations.runNow(made.id);
    while ((await automations.runs(made.id))[0]?.state === 'running') await new Promise(setImmediate);
    return made.id;
  });
  expect(await said(computer, 'automations')).toMatch(
    /^[0-9a-f]{8} {2}on {2}Morning {2}every Monday at 09:00 {2}next \d{4}-/,
  );
  expect(await said(computer, 'automations', 'show', id)).toContain('Two tests fail.');
  expect(await said(computer, 'automations', 'show', id)).not.toContain('cannot be used');
  await asServer(computer, ({ automations }) => automations.change(id, { model: 'zai:glm-4.7' }));
  expect(await said(computer, 'automations', 'show', id)).toContain(
    'Its model cannot be used now: This provider needs a key.',
  );
  expect(await json(computer, 'automations', 'show', id)).toMatchObject({ modelProblem: 'PROVIDER_KEY_REQUIRED' });
  expect(await said(computer, 'automations', 'inbox')).toContain('Morning');
  const webhook = await json(computer, 'automations', 'webhook', id);
  expect(webhook).toMatchObject({ id, secret: expect.stringMatching(/^[\w-]{43}$/), url: expect.stringContaining(id) });
  expect(await said(computer, 'automations', 'webhook', id)).toMatch(/Bearer [\w-]{43}' http/);
  expect(await said(computer, 'automations', 'webhook', id, '--remove')).toBe('Webhook removed: Morning\n');
  const watch = (...files: string[]) => said(computer, 'automations', 'watch', id, ...files);
  expect(await watch('--files', 'docs/**', '--files', '!docs/draft')).toBe('Watches files: Morning\n');
  expect(await watch()).toBe('Watches no files: Morning\n');
  expect(await said(computer, 'automations', 'off', id)).toBe('off: Morning\n');
  expect((await json(computer, 'automations')).automations).toMatchObject([{ isOn: false, nextRunAt: null }]);
  expect(await said(computer, 'automations', 'on', id)).toBe('on: Morning\n');
  expect(await said(computer, 'automations', 'delete', id)).toBe('Deleted: Morning\n');
  expect((await computer.run(['automations', 'on', id])).stderr).toContain('[NOT_FOUND]');
});

test('lists workflow runs and shows one with its plan', async () => {
  const draft = {
    title: 'Compare two ways',
    objective: 'Know which is better',
    phases: [{ id: 'read', label: 'Read' }],
    steps: [{ id: 'first', phase: 'read', label: 'Read the first', instructions: 'Read the first way.' }],
  };
  await using computer = await testComputer(({ lastText, lastRole }) =>
    lastRole === 'user' && lastText.includes('go')
      ? { toolCalls: [{ name: 'workflow_propose', arguments: draft }] }
      : { text: 'It costs 3.' },
  );
  expect(await said(computer, 'workflows')).toBe('No workflow runs yet.\n');
  const { sessionId } = JSON.parse((await computer.go(['--json'])).stdout);
  const runId = await asServer(computer, async ({ workflows: { proposals, runs, views } }) => {
    const [proposal] = proposals.list(sessionId, { offset: 0, limit: 1 }).items;
    if (!proposal) throw new Error('not proposed');
    const { workflowId, version, definitionHash } = proposal;
    await proposals.approve({ workflowId, version, definitionHash, commandId: randomUUID() });
    const started = await runs.start({ workflowId, version, definitionHash, commandId: randomUUID() });
    const state = () => views.runs(sessionId, { page: { offset: 0, limit: 1 } }).items[0]?.status;
    while (state() !== 'succeeded') await new Promise((resolve) => setTimeout(resolve, 20));
    return started.runId;
  });
  expect(await said(computer, 'workflows')).toMatch(/^\S{8} {2}\S+ \S+ {2}done {2}1\/1 {2}Compare two ways\n$/);
  expect(await json(computer, 'workflows', 'show', runId)).toMatchObject({
    status: 'succeeded',
    objective: draft.objective,
  });
  expect(await said(computer, 'workflows', 'show', runId.slice(0, 8))).toContain('Know which is better');
});

describe('project extensions', () => {
  test('are listed with their commands and trusted by name', async () => {
    await using computer = await testComputer([]);
    await computer.project.write({
      '.svc/mcp.json': JSON.stringify({
        server: [{ id: 'files', comando: 'node', argomenti: ['server.js'], allowlist: ['read'] }],
      }),
      '.svc/skills/review/SKILL.md': '---\nname: review\ndescription: How to review.\n---\nLook twice.\n',
    });
    for (const kind of ['hooks', 'plugins', 'forge']) expect((await computer.run([kind])).exit).toBe(0);
    expect(await said(computer, 'skills')).toContain('How to review.');
    expect(await said(computer, 'mcp')).toMatch(/^files {2}untrusted {2}node server\.js\n$/);
    expect(await said(computer, 'mcp', 'trust', 'files')).toBe('Trusted in its current version: files\n');
    expect((await json(computer, 'mcp')).mcp).toMatchObject([{ id: 'files', isTrusted: true }]);
    expect((await computer.run(['mcp', 'trust', 'none'])).stderr).toContain('[NOT_FOUND]');
    await computer.project.write({ '.svc/mcp.json': '{' });
    expect(await computer.run(['mcp'])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('cannot read the project’s extensions'),
    });
  });

  test('forged tools can be enabled and disabled', async () => {
    const flow = { entry: 'end', maxTransitions: 1, nodes: [{ id: 'end', type: 'return', value: 1 }] };
    const forged = {
      id: 'one-tool',
      title: 'One',
      description: 'Answers one.',
      input_schema: { type: 'object' },
      flow,
    };
    await using computer = await testComputer([
      { toolCalls: [{ name: 'tool_create', arguments: forged }] },
      { text: 'ok' },
    ]);
    await computer.go();
    expect(await said(computer, 'forge')).toMatch(/^one-tool {2}off {2}One {2}Answers one\.\n$/);
    expect(await said(computer, 'forge', 'enable', 'one-tool')).toBe('Enabled: one-tool\n');
    expect((await json(computer, 'forge')).forge).toMatchObject([{ isEnabled: true }]);
    expect(await said(computer, 'forge', 'disable', 'one-tool')).toBe('Disabled: one-tool\n');
  });
});

describe('local models', () => {
  test('can be imported, inspected, used by a session, and deleted', async () => {
    await using computer = await testComputer([]);
    writeFileSync(
      join(computer.project.path, 'Tiny One.gguf'),
      tinyModel({ says: 'It works.', contextLength: 65_536 }),
    );
    expect(await said(computer, 'local')).toContain('No models on this computer.');
    expect(await said(computer, 'local', 'import', 'Tiny One.gguf', '--name', 'Tiny')).toBe('Added: tiny-one\n');
    expect(await said(computer, 'local')).toMatch(/^tiny-one {2}\d+ MB {2}ready {2}\S+ \S+ {2}Tiny\n$/);
    expect(await said(computer, 'local', 'fit', 'tiny-one', '--profile', 'chat')).toMatch(/Memory: .* needed/);
    const used = await computer.run(['-p', 'go', '--model', 'local:tiny-one', '--json']);
    expect(JSON.parse(used.stdout)).toMatchObject({ outcome: 'finished', text: expect.stringContaining('It works.') });
    expect(await said(computer, 'local', 'delete', 'tiny-one')).toBe('Deleted: tiny-one\n');
    expect((await computer.run(['-p', 'go', '--model', 'local:tiny-one'])).stderr).toContain('[MODEL_NOT_FOUND]');
    // It reads a session's prompt, one token per character.
  });

  test('a file that is not a model is rejected and leaves nothing behind', async () => {
    await using computer = await testComputer([]);
    writeFileSync(join(computer.project.path, 'a.gguf'), 'no model');
    expect(await computer.run(['local', 'import', 'a.gguf'])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('[LOCAL_IMPORT_NOT_GGUF]'),
    });
    expect((await computer.run(['local', 'import', 'none.gguf'])).exit).toBe(2);
    expect((await computer.run(['local', 'fit', 'none'])).stderr).toContain('[MODEL_NOT_FOUND]');
    expect((await json(computer, 'local')).models).toEqual([]);
  });

  test('lists the engines, and a missing one cannot load a model', async () => {
    await using computer = await testComputer([]);
    const { runtimes } = await json(computer, 'local', 'runtimes');
    expect(runtimes.map(({ runtimeId }: { runtimeId: string }) => runtimeId)).toEqual([
      'llama.cpp',
      'ollama',
      'lmstudio',
    ]);
    expect((await computer.run(['local', 'load', 'x', '--runtime', 'lmstudio'])).exit).toBe(1);
  });

  test.each(['ollama', 'lmstudio'] as const)('%s loads and unloads a model', async (runtime) => {
    await using computer = await testComputer([]);
    await using program = await modelProgram(runtime);
    await computer.run(['provider', 'set-address', runtime, program.url]);
    expect(await said(computer, 'local', 'load', 'small', '--runtime', runtime)).toBe('Loaded: small\n');
    expect([...program.held]).toEqual(['small']);
    expect(await said(computer, 'local', 'runtimes')).toMatch(new RegExp(`${runtime} +found`));
    expect(await json(computer, 'local', 'unload', 'small', '--runtime', runtime)).toBeDefined();
    expect([...program.held]).toEqual([]);
    expect((await computer.run(['local', 'load', 'none', '--runtime', runtime])).exit).toBe(78);
  });
});
