import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { type TestSessions, testSessions } from '../../test/harness.ts';
import { call, say, used } from '../testing.ts';

const replies = async (setup: TestSessions, id: string): Promise<string> =>
  (await setup.events(id)).flatMap((event) => (event.type === 'TextMessageContent' ? [event.delta] : [])).join('\n');

async function typed(setup: TestSessions, id: string, message: string): Promise<string> {
  const before = (await replies(setup, id)).length;
  await setup.sessions.turns.resume(id, { message });
  await setup.sessions.turns.settled(id);
  return (await replies(setup, id)).slice(before);
}

async function resting(setup: TestSessions): Promise<string> {
  const id = await setup.start();
  await setup.sessions.turns.settled(id);
  return id;
}

describe('a slash command', () => {
  test('is answered by the server without the model', async () => {
    await using setup = await testSessions([{ events: say('hello') }]);
    const id = await resting(setup);
    expect(await typed(setup, id, '/help')).toMatch(/`\/compact`.*\n.*`\/context`/);
    expect(await typed(setup, id, '/status')).toContain('ollama:tiny');
    expect(await typed(setup, id, '/context')).toMatch(/circa \d+ token/);
    expect(await typed(setup, id, '/compact')).toContain('Niente da compattare');
    expect(setup.model.requests).toHaveLength(1);
    await setup.sessions.turns.resume(id, { message: 'go on' });
    await setup.sessions.turns.settled(id);
    expect(JSON.stringify(setup.model.requests[1]?.messages)).not.toMatch(/help|status|Niente/);
    await using again = await setup.reopen();
    await again.sessions.turns.resume(id, { message: 'after' });
    await again.sessions.turns.settled(id);
    expect(JSON.stringify(again.model.requests[0]?.messages)).not.toMatch(/help|status|Niente/);
  });

  test('/cost prints usage and an unknown price', async () => {
    await using setup = await testSessions([{ events: [...say('hello'), used(120, 30, 20)] }]);
    const id = await resting(setup);
    expect((await typed(setup, id, '/cost')).trim()).toBe(
      [
        '- Token di input: 120 (dalla cache: 20)',
        '- Token di output: 30',
        '- Chiamate al modello: 1',
        '- Costo: Prezzo sconosciuto',
      ].join('\n'),
    );
    expect(await setup.sessions.cost(id)).toMatchObject({ usd: null, callsWithoutPrice: 1 });
    expect(setup.model.requests).toHaveLength(1);
  });

  test('lists its arguments in English for files and changes', async () => {
    await using setup = await testSessions([]);
    const usages = (await setup.sessions.slashCommandsIn(setup.dir)).map(({ usage }) => usage);
    expect(usages).toEqual(expect.arrayContaining(['/undo [turn] [files | chat | both]', '/diff [turn | session]']));
  });

  test('can be the first message', async () => {
    await using setup = await testSessions([]);
    const { sessionId } = await setup.sessions.create({ ...setup.newSession(), input: { message: '/help' } });
    await setup.sessions.turns.settled(sessionId);
    expect(setup.model.requests).toEqual([]);
    expect(await setup.sessions.read(sessionId)).toMatchObject({ isConcluded: true, outcome: 'finished' });
  });

  test('/plan switches plan mode on and off', async () => {
    await using setup = await testSessions([]);
    const id = await resting(setup);
    await typed(setup, id, '/plan');
    expect((await setup.sessions.read(id)).settings.mode).toBe('plan');
    await typed(setup, id, '/plan');
    expect((await setup.sessions.read(id)).settings.mode).toBe('normal');
  });

  test('of the project expands to a prompt, and an unknown name is plain text', async () => {
    await using setup = await testSessions([]);
    await mkdir(join(setup.dir, '.svc', 'commands'), { recursive: true });
    const file = '---\ndescription: Looks at one file\n---\nReview $1 for $ARGUMENTS.';
    await writeFile(join(setup.dir, '.svc', 'commands', 'review.md'), file);
    const id = await resting(setup);
    await typed(setup, id, '/review a.ts carefully');
    expect(setup.model.requests[1]?.messages.at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'text', text: 'Review a.ts for a.ts carefully.' }],
    });
    const start = (await setup.events(id)).findLast(({ type }) => type === 'RunStarted');
    expect(start).toMatchObject({ input: { consegna: '/review a.ts carefully' } });
    expect(await setup.sessions.slashCommands(id)).toContainEqual({
      name: 'review',
      summary: 'Looks at one file',
      usage: '/review',
      kind: 'written',
    });
    expect(await setup.sessions.slashCommandsIn(setup.dir)).toEqual(await setup.sessions.slashCommands(id));
    await typed(setup, id, '/etc/hosts is empty');
    expect(JSON.stringify(setup.model.requests[2]?.messages.at(-1))).toContain('/etc/hosts is empty');
  });

  test('whose file is wrong is answered and listed with file, line and column, and sends nothing', async () => {
    await using setup = await testSessions([]);
    const put = async (path: string, text: string): Promise<void> => {
      await mkdir(dirname(join(setup.dir, path)), { recursive: true });
      await writeFile(join(setup.dir, path), text);
    };
    await put('.svc/commands/open.md', '---\ndescription: Opens\nDo it.\n');
    await put('.claude/commands/open.md', 'Theirs.');
    await put('.claude/commands/zero.md', 'Do\nit\0.');
    await put('.claude/commands/fine.md', '---\nA line.');
    const listed = await setup.sessions.slashCommandsIn(setup.dir);
    const open = '.svc/commands/open.md:1:1: expected a second line of --- at the end of the front matter';
    const zero = '.claude/commands/zero.md:2:3: expected text, not a zero byte';
    expect(listed.filter(({ kind }) => kind === 'written').map(({ name, summary }) => [name, summary])).toEqual([
      ['fine', '---'],
      ['open', open],
      ['zero', zero],
    ]);
    const id = await resting(setup);
    const before = setup.model.requests.length;
    for (const [name, problem] of [
      ['open', open],
      ['zero', zero],
    ]) {
      expect((await typed(setup, id, `/${name} now`)).trim()).toBe(problem);
    }
    expect(setup.model.requests).toHaveLength(before);
  });

  test('in .claude/commands follows .svc/commands, with folders as namespaces', async () => {
    await using setup = await testSessions([]);
    await using elsewhere = await tempDir();
    const put = async (path: string, text: string): Promise<void> => {
      await mkdir(dirname(join(setup.dir, path)), { recursive: true });
      await writeFile(join(setup.dir, path), text);
    };
    await put('.svc/commands/review.md', 'Ours.');
    await put('.claude/commands/review.md', 'Theirs.');
    await put('.claude/commands/help.md', 'Theirs.');
    const head = `---\nallowed-tools: Bash(git:*)\nargument-hint: [name] [kind]\ndescription: Adds a component\n---\n`;
    await put('.claude/commands/frontend/New_component.md', `${head}Add $1 as $2.\n!\`git status\``);
    await put('.claude/commands/no way.md', 'Bad name.');
    await put('.claude/commands/large.md', 'x'.repeat(70_000));
    await writeFile(join(elsewhere.path, 'secret.md'), 'Key.');
    await symlink(join(elsewhere.path, 'secret.md'), join(setup.dir, '.claude/commands/linked.md'));
    await symlink(elsewhere.path, join(setup.dir, '.claude/commands/away'));
    await symlink(join(elsewhere.path, 'secret.md'), join(setup.dir, '.svc/commands/ours.md'));
    const listed = await setup.sessions.slashCommandsIn(setup.dir);
    expect(listed.filter(({ kind }) => kind === 'written')).toEqual([
      {
        name: 'frontend:New_component',
        summary: 'Adds a component',
        usage: '/frontend:New_component [name] [kind]',
        kind: 'written',
      },
      { name: 'review', summary: 'Ours.', usage: '/review', kind: 'written' },
    ]);
    expect(listed.find(({ name }) => name === 'help')?.kind).toBe('built-in');
    const id = await resting(setup);
    const sent = async (message: string): Promise<string> => {
      await typed(setup, id, message);
      return JSON.stringify(setup.model.requests.at(-1)?.messages.at(-1));
    };
    expect(await sent('/frontend:New_component Button round')).toContain('Add Button as round.\\n!`git status`');
    expect(await sent('/review')).toContain('Ours.');
    expect(await sent('/linked')).toContain('/linked');
    expect(await sent('/ours')).toContain('/ours');
    expect(await sent('/away:secret')).toContain('/away:secret');
    expect(await sent('/large')).toContain('/large');
  });

  test('of the server waits for the turn, and one of the project can be queued', async () => {
    await using setup = await testSessions([{ events: call('c1', 'shell', {}) }]);
    const id = await setup.start();
    await expect(setup.sessions.turns.queue(id, { message: '/status' })).rejects.toMatchObject({
      code: 'SESSION_NOT_READY',
      reason: 'command-between-turns',
    });
    await setup.sessions.turns.stop(id);
  });
});
