import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { changeFilesTool, turnThatChanges } from '../../test/change-files.ts';
import { folderHistory } from '../../test/folder-history.ts';
import { type TestSessions, testSessions } from '../../test/harness.ts';
import type { UndoValue } from '../state/custom-events.ts';
import { call, finish, say } from '../testing.ts';

async function open(answers: Parameters<typeof testSessions>[0]): Promise<TestSessions> {
  return testSessions(answers, { tools: [changeFilesTool] });
}

async function typed(setup: TestSessions, id: string, message: string): Promise<string> {
  await setup.sessions.turns.resume(id, { message });
  await setup.sessions.turns.settled(id);
  const events = await setup.events(id);
  return events.flatMap((event) => (event.type === 'TextMessageContent' ? [event.delta] : [])).at(-1) ?? '';
}

async function begun(setup: TestSessions): Promise<string> {
  const id = await setup.start();
  await setup.sessions.turns.settled(id);
  return id;
}

const read = (setup: TestSessions, path: string): Promise<string> => readFile(join(setup.dir, path), 'utf8');
const undone = async (setup: TestSessions, id: string): Promise<UndoValue[]> =>
  (await setup.events(id)).flatMap((event) =>
    event.type === 'CUSTOM' && event.name === 'svc.annullamento' ? [event.value as UndoValue] : [],
  );

describe('/undo with a turn', () => {
  const threeTurns = [
    ...turnThatChanges('one', { 'a.txt': 'first' }),
    ...turnThatChanges('two', { 'a.txt': 'second', 'b.txt': 'second' }),
    ...turnThatChanges('three', { 'c.txt': 'third' }),
  ];
  const begunThree = async (setup: TestSessions): Promise<string> => {
    const id = await begun(setup);
    await typed(setup, id, 'again');
    await typed(setup, id, 'and again');
    return id;
  };

  test('undoes it and every later one, and /redo all redoes them', async () => {
    await using setup = await open(threeTurns);
    const id = await begunThree(setup);
    expect(await typed(setup, id, '/undo 2')).toMatch(/^Annullati i turni 2, 3\.[^]*`a\.txt`[^]*`b\.txt`[^]*`c\.txt`/);
    expect([await read(setup, 'a.txt'), existsSync(join(setup.dir, 'c.txt'))]).toEqual(['first', false]);
    expect(await typed(setup, id, '/undo 2')).toBe('Niente da annullare.');
    expect(await typed(setup, id, '/redo all')).toContain('Ripetuti i turni 2, 3.');
    expect([await read(setup, 'a.txt'), await read(setup, 'c.txt')]).toEqual(['second', 'third']);
  });

  test('/redo all tries each turn once, also one whose files were all changed since', async () => {
    await using setup = await open(threeTurns);
    const id = await begunThree(setup);
    await typed(setup, id, '/undo 2');
    await writeFile(join(setup.dir, 'c.txt'), 'of the user');
    expect(await typed(setup, id, '/redo all')).toMatch(
      /`b\.txt`[^]*Non modificati:[^]*`c\.txt`: modificato nel frattempo/,
    );
    expect([await read(setup, 'a.txt'), await read(setup, 'c.txt')]).toEqual(['second', 'of the user']);
  });

  test('that does not exist, or with other words, changes nothing', async () => {
    await using setup = await open(threeTurns);
    const id = await begunThree(setup);
    expect(await typed(setup, id, '/undo 9')).toBe('Non c’è un turno 9: sono 3.');
    expect(await typed(setup, id, '/undo 2 nonsense')).toContain('Uso: `/undo [turn] [files | chat | both]`');
    expect(await read(setup, 'a.txt')).toBe('second');
  });
});

describe('/undo', () => {
  test('reverts the newest turn, then the one before, and /redo restores them in order', async () => {
    await using setup = await open([
      ...turnThatChanges('one', { 'a.txt': 'first', 'new/b.txt': 'made' }),
      ...turnThatChanges('two', { 'a.txt': 'second', 'keep.txt': null, 'run.sh': true }),
    ]);
    await writeFile(join(setup.dir, 'a.txt'), 'before');
    await writeFile(join(setup.dir, 'keep.txt'), 'kept');
    await writeFile(join(setup.dir, 'run.sh'), 'echo');
    const id = await begun(setup);
    await typed(setup, id, 'again');
    expect(await read(setup, 'a.txt')).toBe('second');

    expect(await typed(setup, id, '/undo')).toMatch(/Annullato il turno 2\.[^]*`a\.txt`[^]*`keep\.txt`[^]*`run\.sh`/);
    expect([await read(setup, 'a.txt'), await read(setup, 'keep.txt')]).toEqual(['first', 'kept']);
    expect((await stat(join(setup.dir, 'run.sh'))).mode & 0o777).toBe(0o644);
    expect((await undone(setup, id)).map(({ fase, tipo, file }) => [fase, tipo, file])).toEqual([
      ['inizio', 'undo', ['a.txt', 'keep.txt', 'run.sh']],
      ['fine', 'undo', ['a.txt', 'keep.txt', 'run.sh']],
    ]);
    expect(await typed(setup, id, '/undo')).toContain('turno 1');
    expect([await read(setup, 'a.txt'), existsSync(join(setup.dir, 'new/b.txt'))]).toEqual(['before', false]);
    expect(await typed(setup, id, '/undo')).toBe('Niente da annullare.');
    expect(await typed(setup, id, '/redo')).toContain('Ripetuto il turno 1.');
    expect([await read(setup, 'a.txt'), await read(setup, 'new/b.txt')]).toEqual(['first', 'made']);
    expect(await typed(setup, id, '/redo')).toContain('turno 2');
    expect([await read(setup, 'a.txt'), existsSync(join(setup.dir, 'keep.txt'))]).toEqual(['second', false]);
    expect((await stat(join(setup.dir, 'run.sh'))).mode & 0o777).toBe(0o755);
    expect(await typed(setup, id, '/redo')).toBe('Niente da ripetere.');
  });

  test('reports a file changed by the user, keeps it, and reverts the rest', async () => {
    await using setup = await open(turnThatChanges('one', { 'a.txt': 'by the agent\n', 'b.txt': 'agent' }));
    const id = await begun(setup);
    await writeFile(join(setup.dir, 'a.txt'), 'by the user\n');
    const answer = await typed(setup, id, '/undo');
    expect(answer).toMatch(/`a\.txt`: modificato nel frattempo \([0-9a-f]{12} → [0-9a-f]{12}, 12 B\)/);
    expect(await read(setup, 'a.txt')).toBe('by the user\n');
    expect(existsSync(join(setup.dir, 'b.txt'))).toBe(false);
    expect((await undone(setup, id)).at(-1)).toMatchObject({
      file: ['b.txt'],
      saltati: [{ percorso: 'a.txt', motivo: 'cambiato' }],
    });
  });

  test('keeps the user’s change to a file made during the turn', async () => {
    let go: () => void = () => undefined;
    const hold = new Promise<void>((resolve) => (go = resolve));
    const [first, end] = turnThatChanges('one', { 'a.txt': 'one' });
    const [second] = turnThatChanges('two', { 'a.txt': 'three' });
    await using setup = await open([
      first ?? { events: [] },
      { ...(second ?? { events: [] }), hold },
      end ?? { events: [] },
    ]);
    const id = await setup.start();
    await setup.seen(id, 'StateDelta');
    await writeFile(join(setup.dir, 'a.txt'), 'two, by the user');
    go();
    await setup.sessions.turns.settled(id);
    await typed(setup, id, '/undo');
    expect(await read(setup, 'a.txt')).toBe('two, by the user');
  });

  test('chat hides the turn from model, compaction and search, even after a restart, and /redo restores it', async () => {
    await using setup = await open([
      ...turnThatChanges('one', { 'a.txt': 'first' }),
      { events: say('remember the walnut') },
      { events: say('third') },
    ]);
    const id = await begun(setup);
    await typed(setup, id, 'what tree?');
    expect(await setup.sessions.search('walnut')).toHaveLength(1);
    expect(await typed(setup, id, '/undo chat')).toContain('Il turno non è più nel contesto del modello.');
    expect(await setup.sessions.search('walnut')).toEqual([]);
    expect(await setup.sessions.search('changing')).toHaveLength(1);
    expect(await read(setup, 'a.txt')).toBe('first');
    await typed(setup, id, 'go on');
    expect(JSON.stringify(setup.model.requests.at(-1)?.messages)).not.toMatch(/walnut|what tree/);
    await using again = await setup.reopen([{ events: say('fourth') }, { events: say('fifth') }]);
    await typed(again, id, 'and on');
    expect(JSON.stringify(again.model.requests.at(-1)?.messages)).not.toMatch(/walnut|what tree/);
    expect(JSON.stringify(again.model.requests.at(-1)?.messages)).toMatch(/changed one[^]*go on[^]*third[^]*and on/);
    expect(await typed(again, id, '/redo')).toContain('Il turno è di nuovo nel contesto del modello.');
    expect(await again.sessions.search('walnut')).toHaveLength(1);
    await typed(again, id, 'last');
    expect(JSON.stringify(again.model.requests.at(-1)?.messages)).toMatch(/what tree[^]*walnut[^]*go on/);
  });

  test('tutto reverts both, and reverting only files informs the model with the next message', async () => {
    await using setup = await open([
      ...turnThatChanges('one', { 'a.txt': 'first' }),
      ...turnThatChanges('two', { 'b.txt': 'second' }),
      { events: say('ok') },
    ]);
    const id = await begun(setup);
    await typed(setup, id, 'again');
    await typed(setup, id, '/undo tutto');
    expect(existsSync(join(setup.dir, 'b.txt'))).toBe(false);
    await typed(setup, id, '/undo');
    await typed(setup, id, 'what now?');
    const request = JSON.stringify(setup.model.requests.at(-1)?.messages);
    expect(request).toMatch(/changed one[^]*reverted the changes your turn made to these files: a\.txt[^]*what now/);
    expect(request).not.toMatch(/changing two|b\.txt/);
  });

  test('discards redo when another turn changes files, and rejects an unknown argument', async () => {
    await using setup = await open([
      ...turnThatChanges('one', { 'a.txt': 'first' }),
      ...turnThatChanges('two', { 'b.txt': 'second' }),
    ]);
    const id = await begun(setup);
    expect(await typed(setup, id, '/undo everything')).toContain('Uso');
    await typed(setup, id, '/undo');
    await typed(setup, id, 'again');
    expect(await typed(setup, id, '/redo')).toBe('Niente da ripetere.');
    expect(existsSync(join(setup.dir, 'a.txt'))).toBe(false);
  });

  test('reverts the files that a sub-agent changed in a subfolder, not those of the same name above it', async () => {
    const delegate = call('d1', 'delega_sottotask', { task: 'change it', cartella: 'sub' });
    await using setup = await open([
      { events: [...delegate, finish('tool-calls')] },
      ...turnThatChanges('one', { 'a.txt': 'by the agent\n', 'b.txt': 'agent' }),
      { events: say('done') },
    ]);
    await mkdir(join(setup.dir, 'sub'));
    for (const path of ['a.txt', 'b.txt', 'sub/a.txt']) await writeFile(join(setup.dir, path), 'before');
    await writeFile(join(setup.dir, 'b.txt'), 'agent');
    const id = await begun(setup);
    expect(await read(setup, 'sub/a.txt')).toBe('by the agent\n');
    expect(await typed(setup, id, '/diff')).toMatch(/ha modificato 2 file[^]*sub\/a\.txt[^]*sub\/b\.txt/);
    expect(await typed(setup, id, '/undo')).toMatch(/`sub\/a\.txt`\n- `sub\/b\.txt`/);
    expect([await read(setup, 'a.txt'), await read(setup, 'b.txt'), await read(setup, 'sub/a.txt')]).toEqual([
      'before',
      'agent',
      'before',
    ]);
    expect(existsSync(join(setup.dir, 'sub/b.txt'))).toBe(false);
    await typed(setup, id, '/redo');
    expect([await read(setup, 'a.txt'), await read(setup, 'sub/a.txt')]).toEqual(['before', 'by the agent\n']);
  });

  test('interrupted halfway is completed by the next one', async () => {
    await using setup = await open(turnThatChanges('one', { 'a.txt': 'first', 'b.txt': 'first' }));
    await writeFile(join(setup.dir, 'a.txt'), 'before');
    const id = await begun(setup);
    await writeFile(join(setup.dir, 'a.txt'), 'before');
    await using again = await setup.reopen([]);
    expect(await typed(again, id, '/undo')).toContain('`a.txt`');
    expect((await undone(again, id)).at(-1)).toMatchObject({ fase: 'fine', file: ['a.txt', 'b.txt'], saltati: [] });
    expect(existsSync(join(setup.dir, 'b.txt'))).toBe(false);
  });
});

describe('changes that are not recorded with the turn', () => {
  const others = { 'theirs.txt': 'by both', 'a.txt': 'agent' };

  test('are named by /undo, left as they are, and not named again once it is done', async () => {
    const fileHistory = folderHistory((changes) =>
      changes.some(({ path }) => path === 'c.txt') ? { contested: ['theirs.txt', 'a.txt'], omitted: 2 } : {},
    );
    await using setup = await testSessions(
      [...turnThatChanges('one', { 'a.txt': 'agent' }), ...turnThatChanges('two', { 'c.txt': 'agent' })],
      { tools: [changeFilesTool], fileHistory },
    );
    const id = await begun(setup);
    await writeFile(join(setup.dir, 'theirs.txt'), others['theirs.txt']);
    await typed(setup, id, 'again');
    const text = await typed(setup, id, '/undo');
    expect(text).toMatch(
      /^Annullato il turno 2\.[^]*`c\.txt`[^]*Non modificati:\n- `a\.txt`: [^]*\n- `theirs\.txt`: [^]*non è chiaro/,
    );
    expect(text).toContain('Altri 2 file modificati non sono stati registrati.');
    expect((await undone(setup, id)).at(-1)).toMatchObject({
      file: ['c.txt'],
      saltati: ['a.txt', 'theirs.txt'].map((percorso) => ({ percorso, motivo: 'incerto' })),
    });
    expect([await read(setup, 'theirs.txt'), await read(setup, 'a.txt')]).toEqual(['by both', 'agent']);
    expect(await typed(setup, id, '/undo')).not.toContain('theirs.txt');
    expect(existsSync(join(setup.dir, 'a.txt'))).toBe(false);
  });

  test('are named where nothing else can be undone, and by the preview', async () => {
    const fileHistory = folderHistory(() => ({ changes: [], contested: ['theirs.txt'], isPartial: true }));
    await using setup = await testSessions(turnThatChanges('one', { 'theirs.txt': 'x' }), {
      tools: [changeFilesTool],
      fileHistory,
    });
    const id = await begun(setup);
    const text = await typed(setup, id, '/undo');
    expect(text).toMatch(
      /^Niente da annullare\.\n\nNon modificati:\n- `theirs\.txt`: [^]*\n\nI comandi possono aver modificato/,
    );
    expect(await typed(setup, id, '/undo chat')).not.toContain('theirs.txt');
    const [first] = await setup.sessions.branches.messages(id);
    expect(await setup.sessions.branches.preview(id, first?.reference ?? '')).toEqual({
      files: [{ path: 'theirs.txt', effect: 'restored', problem: 'incerto' }],
      isPartial: true,
    });
    expect(await typed(setup, id, '/diff')).toMatch(/^Nessun file modificato\.\n\nI comandi possono aver modificato/);
    expect(await setup.sessions.branches.restore(id, first?.reference ?? '')).toMatchObject({ isPartial: true });
    expect(existsSync(join(setup.dir, 'theirs.txt'))).toBe(true);
  });

  test('are counted by /diff, by the preview and by the answer of a restore, and not where all is recorded', async () => {
    const fileHistory = folderHistory((changes) =>
      changes.some(({ path }) => path === 'c.txt') ? { omitted: 2 } : {},
    );
    await using setup = await testSessions(
      [...turnThatChanges('one', { 'a.txt': 'agent' }), ...turnThatChanges('two', { 'c.txt': 'agent' })],
      { tools: [changeFilesTool], fileHistory },
    );
    const id = await begun(setup);
    expect(await typed(setup, id, '/diff')).not.toContain('non sono stati registrati');
    await typed(setup, id, 'again');
    expect(await typed(setup, id, '/diff')).toContain('Altri 2 file modificati non sono stati registrati.');
    const references = (await setup.sessions.branches.messages(id)).map(({ reference }) => reference);
    const second = references[1] ?? '';
    const preview = await setup.sessions.branches.preview(id, second);
    expect(preview).toEqual({ files: [{ path: 'c.txt', effect: 'removed', problem: null }], omitted: 2 });
    expect(await setup.sessions.branches.restore(id, second)).toEqual({ skipped: [], omitted: 2 });
    expect(await setup.sessions.branches.restore(id, references[0] ?? '')).toEqual({ skipped: [] });
  });
});

test('/diff names the instructions for agents that changed', async () => {
  await using setup = await open([
    ...turnThatChanges('one', { 'a.txt': 'one\n', 'AGENTS.md': 'Obey.\n', 'sub/claude.md': 'Obey.\n' }),
    ...turnThatChanges('two', { 'a.txt': 'two\n', 'docs/AGENTS.md.txt': 'two\n' }),
  ]);
  const id = await begun(setup);
  const note = '\n\nIstruzioni per gli agenti modificate:\n- `AGENTS.md`\n- `sub/claude.md`\n\n';
  expect(await typed(setup, id, '/diff')).toContain(note);
  await typed(setup, id, 'again');
  expect(await typed(setup, id, '/diff')).not.toContain('Istruzioni');
  expect(await typed(setup, id, '/diff session')).toContain(note);
});

test('/diff shows the changes of a turn and of the session', async () => {
  await using setup = await open([
    ...turnThatChanges('one', { 'a.txt': 'one\n', 'bin.dat': 'a\0b' }),
    ...turnThatChanges('two', { 'a.txt': 'two\n', '````.txt': '````' }),
  ]);
  const id = await begun(setup);
  expect(await typed(setup, id, '/diff 1')).toMatch(/Il turno 1 ha modificato 2 file[^]*\+one[^]*bin\.dat: 0 B → 3 B/);
  await typed(setup, id, 'again');
  expect(await typed(setup, id, '/diff')).toMatch(/turno 2[^]*`````diff[^]*-one\n\+two/);
  expect(await typed(setup, id, '/diff turno')).toBe(await typed(setup, id, '/diff'));
  expect(await typed(setup, id, '/diff sessione')).toMatch(/La sessione ha modificato 3 file[^]*\+two/);
  expect(await typed(setup, id, '/diff 9')).toBe('Non c’è un turno 9: sono 2.');
});
