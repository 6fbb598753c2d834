import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { statusLine } from '../src/screen/app/status-line.ts';
import { createCandidates } from '../src/screen/commands/candidates.ts';
import { cyclePermissions } from '../src/screen/commands/permission-modes.ts';
import { COMMANDS } from '../src/screen/commands/table.ts';
import { triggerAt } from '../src/screen/input/completion/trigger.ts';
import { type TestComputer, testComputer } from './harness.ts';
import { type Inside, inside } from './workbench.ts';

const ok = () => ({ text: 'Understood.', usage: { promptTokens: 100, completionTokens: 10 } });

async function talked(computer: TestComputer): Promise<Inside> {
  const one = await inside(computer);
  await one.type('hello');
  await one.rests();
  return one;
}

async function projectUserSettings(computer: TestComputer): Promise<string> {
  const { files } = JSON.parse((await computer.run(['config', 'path', '--json', '--scope', 'project-user'])).stdout);
  return readFile(files[0].path, 'utf8');
}

test('implements every listed slash command and no other', () => {
  expect(COMMANDS.map(({ name }) => name).sort()).toEqual(
    [
      'help provider model queue permissions plan diff status context cost usage compact clear redraw resume fork mcp hooks plugins',
      'doctor sandbox memory notes tasks library research automations forge exit',
      'rewind ports',
    ]
      .join(' ')
      .split(' ')
      .sort(),
  );
});

describe('the composer', () => {
  test('sends prompts to the agent, ! commands to the shell, and paths that begin with / as prompts', async () => {
    await using computer = await testComputer(ok);
    await using one = await inside(computer);
    await one.type('/etc/hosts is empty');
    await one.rests();
    expect(JSON.stringify(computer.model.requests.at(-1)?.body)).toContain('/etc/hosts is empty');
    await one.type('!echo own > made.txt');
    expect(one.reported).toEqual([]);
    const made = (): Promise<string> => readFile(join(computer.project.path, 'made.txt'), 'utf8').catch(() => '');
    while ((await made()) !== 'own\n') await systemAmbient('silent').sleep(20);
  });

  test('suggests the nearest command for a typo and restores the text', async () => {
    await using computer = await testComputer(ok);
    await using one = await inside(computer);
    await one.type('/halp');
    await one.type('/queue nonsense');
    await one.type('/status now');
    expect(one.reported).toEqual([
      'warning: Unknown command /halp. Did you mean /help?',
      'warning: Usage: /queue [show | clear | run]',
      'warning: Usage: /status',
    ]);
    expect(one.restored).toEqual(['/halp', '/queue nonsense', '/status now']);
  });

  test('completes project commands and sends them unchanged, even as the first message', async () => {
    await using computer = await testComputer(ok);
    await mkdir(join(computer.project.path, '.svc', 'commands'), { recursive: true });
    await writeFile(
      join(computer.project.path, '.svc', 'commands', 'review.md'),
      '---\ndescription: Looks\n---\nReview $ARGUMENTS.',
    );
    await using one = await inside(computer);
    const needs = { say: one.workbench.terminal.say, workbench: Promise.resolve(one.workbench), isOpen: () => true };
    const trigger = triggerAt('/rev', 4);
    if (!trigger) throw new Error('nothing to complete');
    expect((await createCandidates(needs)(trigger))[0]).toMatchObject({ label: '/review', detail: 'Looks' });
    await one.type('/review a.ts');
    await one.rests();
    expect(JSON.stringify(computer.model.requests.at(-1)?.body)).toContain('Review a.ts.');
  });

  test('sends a slash command of the session to the session', async () => {
    await using computer = await testComputer(ok);
    await using one = await talked(computer);
    await one.type('/research who wrote the parser');
    await one.rests();
    await one.type('/diff sessione');
    await one.rests();
    const { events } = await one.workbench.services.sessions.export(one.conversation.sessionId() ?? '');
    const said = (events as { input?: { consegna?: string } }[]).flatMap(({ input }) => input?.consegna ?? []);
    expect(said).toEqual(['hello', '/research who wrote the parser', '/diff sessione']);
    expect([...one.reported, ...one.restored]).toEqual([]);
    await one.type('/research list');
    expect(one.reported.at(-1)).toMatch(/^info: research list/);
  });

  test('attaches a named image', async () => {
    await using computer = await testComputer(ok);
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await writeFile(join(computer.project.path, 'dot.png'), Buffer.from(dot, 'base64'));
    await using one = await inside(computer);
    await one.type('what is @dot.png');
    await one.rests();
    expect(one.reported).toEqual([]);
    expect(JSON.stringify(computer.model.requests.at(-1)?.body)).toContain('image');
  });
});

describe('permissions', () => {
  test('one key cycles the modes, and full access needs a second confirmation', async () => {
    await using computer = await testComputer(ok);
    await using one = await inside(computer);
    const seen: string[] = [];
    for (let left = 4; left > 0; left--) {
      await cyclePermissions(one.workbench);
      const { level, mode, isUnattended } = one.conversation.choice();
      seen.push(`${level} ${mode} ${isUnattended}`);
    }
    expect(seen).toEqual([
      'On request normal false',
      'Workspace write plan false',
      'Workspace write normal true',
      'Workspace write normal true',
    ]);
    await one.choose('No');
    expect(one.conversation.choice().level).toBe('Workspace write');
    await cyclePermissions(one.workbench);
    await one.choose('Yes');
    expect(one.conversation.choice()).toMatchObject({ level: 'Full access', isUnattended: false });
    await cyclePermissions(one.workbench);
    expect(one.conversation.choice()).toMatchObject({ level: 'Workspace write', mode: 'normal' });
  });

  test('/permissions sets a mode by name or by list and tests a command line against the rules', async () => {
    await using computer = await testComputer(ok);
    await computer.run(['config', 'set', 'permissions.deny', '["Bash(rm *)"]']);
    await using one = await inside(computer);
    await one.type('/permissions read only');
    expect(one.conversation.choice().level).toBe('Read only');
    await one.type('/permissions acceptEdits');
    expect(one.conversation.choice().level).toBe('Workspace write');
    await one.type('/permissions');
    await one.choose('Ask every time');
    expect(one.conversation.choice().level).toBe('On request');
    await one.type('/permissions dry-run rm -rf "a b"');
    expect(one.reported.at(-1)).toMatch(/^warning: permissions dry-run.*\nDenied\. +Bash\(rm \*\)/s);
    await one.type('/permissions dry-run');
    await one.type('/permissions everything');
    expect(one.reported.slice(-2)).toEqual(
      Array(2).fill('warning: Usage: /permissions [mode | dry-run <shell command>]'),
    );
  });

  test('/plan enters and leaves plan mode', async () => {
    await using computer = await testComputer(ok);
    await using one = await talked(computer);
    await one.type('/plan');
    expect((await one.workbench.services.sessions.read(one.conversation.sessionId() ?? '')).settings.mode).toBe('plan');
    await one.type('/plan');
    expect(one.conversation.choice().mode).toBe('normal');
  });
});

describe('model and provider', () => {
  test('/model with a name applies at once and is kept for the folder', async () => {
    await using computer = await testComputer(ok);
    await using one = await inside(computer);
    await one.type('/model ollama:other');
    expect(one.conversation.choice().model).toBe('ollama:other');
    expect(await projectUserSettings(computer)).toContain('"model": "ollama:other"');
    await one.type('/model nonsense');
    expect(one.reported).toEqual([
      'success: Model: ollama:other. New sessions in this folder will use it.',
      'warning: Usage: /model [provider:model]',
    ]);
    expect(one.conversation.choice().model).toBe('ollama:other');
  });

  test('/model and /provider open lists, and a provider shows its models or how to set it up', async () => {
    await using computer = await testComputer(ok);
    await using one = await inside(computer);
    await one.type('/model');
    const rows = (await one.picked[0]?.rows) ?? [];
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ label }) => label.startsWith('ollama:'))).toBe(true);
    await one.type('/provider');
    await one.choose('Azure');
    expect(one.reported.at(-1)).toContain('fucina provider set-address azure');
    await one.choose('OpenAI');
    expect(one.reported.at(-1)).toBe('info: No key entered.');
    await one.type('/provider ollama');
    await one.type('/provider local');
    expect(one.picked).toHaveLength(4);
    await one.type('/provider nobody');
    expect(one.reported.at(-1)).toContain('Unknown provider nobody');
  });
});

describe('the conversation', () => {
  test('/status, /context and /compact report the state of the context', async () => {
    await using computer = await testComputer(ok);
    await using one = await inside(computer);
    await one.type('/status');
    expect(one.reported.at(-1)).toMatch(
      /Model +ollama:tiny[^]*Permissions +Workspace write[^]*starts with the first message/,
    );
    await one.type('/context');
    await one.type('/compact');
    expect(one.reported.slice(-2)).toEqual(Array(2).fill('info: No conversation yet. Send a message first.'));
    await one.type('hello');
    await one.rests();
    await one.type('/status');
    expect(one.reported.at(-1)).toContain(one.conversation.sessionId());
    await one.type('/context');
    expect(one.reported.at(-1)).toMatch(/Context window +[\s\S]*Auto-compacts at[\s\S]*system prompt +█/);
  });

  test('/context and the status line show the same number and mark an assumed context size', async () => {
    await using computer = await testComputer(() => ({
      text: 'Fine.',
      usage: { promptTokens: 24_000, completionTokens: 10 },
    }));
    await using one = await talked(computer);
    await one.type('/context');
    expect(one.reported.at(-1)).toMatch(/Context window +unknown\nUsed +24.0k \(~12% of an assumed 200k context\)/);
    const line = statusLine({ conversation: one.conversation, folder: '', say: one.workbench.terminal.say }, 120);
    expect(line.map(({ text }) => text).join('')).toContain('~12% of an assumed 200k context');
  });

  test('/context and the status line use the context size of the settings', async () => {
    await using computer = await testComputer(() => ({
      text: 'Fine.',
      usage: { promptTokens: 24_000, completionTokens: 10 },
    }));
    await computer.run(['config', 'set', '--scope', 'user', 'models', '{"ollama:tiny":{"contextWindow":48000}}']);
    await using one = await talked(computer);
    await one.type('/context');
    expect(one.reported.at(-1)).toMatch(/Context window +48.0k\nUsed +24.0k \(context 50%\)/);
    const line = statusLine({ conversation: one.conversation, folder: '', say: one.workbench.terminal.say }, 120);
    expect(line.map(({ text }) => text).join('')).toContain('context 50%');
  });

  test('/cost shows usage and an unknown price', async () => {
    await using computer = await testComputer(ok);
    await using one = await inside(computer);
    await one.type('/cost');
    expect(one.reported).toEqual(['info: No conversation yet. Send a message first.']);
    await one.type('hello');
    await one.rests();
    await one.type('/cost');
    expect(one.reported.at(-1)).toMatch(
      /Cost of this session\nInput tokens +100\nOutput tokens +10\nModel calls +1\nCost +Price unknown/,
    );
  });

  test('/diff shows the changes', async () => {
    await using computer = await testComputer(ok, { 'a.txt': 'one\n' });
    await using one = await talked(computer);
    await one.type('/diff');
    expect(one.reported.at(-1)).toBe('info: No changes since the last commit.');
    await writeFile(join(computer.project.path, 'a.txt'), 'two\n');
    await writeFile(join(computer.project.path, 'new.txt'), 'fresh\n');
    await one.type('/diff');
    expect(one.pages[0]?.title).toBe('Changes since the last commit: 2 files');
    expect(one.pages[0]?.text).toMatch(/-one\n\+two[^]*\+fresh/);
  });

  test('/diff discard reverts a hunk or a file after a confirmation, and shows it first', async () => {
    const lines = Array.from({ length: 30 }, (_, at) => `line ${at}\n`);
    const path = (name: string) => join(computer.project.path, name);
    await using computer = await testComputer(ok, { 'a.txt': lines.join('') });
    await using one = await talked(computer);
    await one.type('/diff discard');
    expect(one.reported.at(-1)).toBe('info: No unstaged changes.');
    await writeFile(path('a.txt'), lines.toSpliced(2, 1, 'first\n').toSpliced(25, 1, 'second\n').join(''));
    await writeFile(path('new.txt'), 'fresh\n');
    await one.type('/diff discard');
    const rows = (await one.picked.at(-1)?.rows) ?? [];
    expect(rows.map(({ label, detail }) => `${label} | ${detail}`)).toEqual([
      'a.txt | whole file',
      '  a.txt @@ -1,6 +1,6 @@ | -line 2',
      '  a.txt @@ -23,7 +23,7 @@ | -line 25',
      'new.txt | whole file',
    ]);
    await one.choose('@@ -23,7');
    expect(one.picked.at(-1)?.title).toBe('Discard this hunk of a.txt? /diff restore undoes it.');
    await one.choose('No, cancel');
    await one.type('/diff discard');
    await one.choose('@@ -23,7');
    await one.choose('Show');
    expect(one.pages.at(-1)?.text).toMatch(/^@@ -23,7[^]*-line 25\n\+second/);
    await one.choose('Discard');
    expect(one.reported.at(-1)).toBe('success: Hunk of a.txt discarded.');
    const kept = lines.toSpliced(2, 1, 'first\n').join('');
    expect(await readFile(path('a.txt'), 'utf8')).toBe(kept);
    await one.choose('new.txt');
    await one.choose('Discard');
    await expect(readFile(path('new.txt'))).rejects.toThrow();
    await one.type('/diff restore');
    expect(one.reported.at(-1)).toBe('success: Restored: new.txt');
    expect(await readFile(path('new.txt'), 'utf8')).toBe('fresh\n');
    await rm(path('new.txt'));
    // Changed after it was listed: nothing is reverted.
    await one.choose('@@');
    await writeFile(path('a.txt'), `${kept}more\n`);
    await expect(one.choose('Discard')).rejects.toMatchObject({ code: 'GIT_DIFF_CHANGED' });
    expect(await readFile(path('a.txt'), 'utf8')).toBe(`${kept}more\n`);
  });

  test('/clear starts a new session, and /resume and /fork choose one by list or id prefix', async () => {
    await using computer = await testComputer(ok);
    await using one = await talked(computer);
    const first = one.conversation.sessionId() ?? '';
    await one.type('/clear');
    expect(one.conversation.sessionId()).toBeUndefined();
    await one.type(`/resume ${first.slice(0, 8)}`);
    expect(one.conversation.sessionId()).toBe(first);
    await one.type('/fork');
    await one.choose('hello');
    expect(one.conversation.sessionId()).not.toBe(first);
    await one.type('/resume');
    const rows = (await one.picked.at(-1)?.rows) ?? [];
    expect(rows).toHaveLength(2);
    expect(rows.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    await one.type('/resume nothing-like-it');
    expect(one.reported.at(-1)).toMatch(/^danger: /);
  });

  test('/queue lists, clears and sends queued messages', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    await using computer = await testComputer(async () => {
      await gate;
      return { text: 'Done.' };
    });
    await using one = await inside(computer);
    await one.type('/queue');
    await one.type('begin');
    await one.type('and then this');
    await one.type('/queue');
    expect(one.reported).toEqual(['info: The queue is empty.', 'info: Queued for after this turn\n1. and then this']);
    await one.type('/queue clear');
    expect(one.reported.at(-1)).toBe('success: Removed from the queue: 1.');
    release();
    await one.rests();
  });

  test('/exit exits, /redraw redraws, /help lists commands and keys', async () => {
    await using computer = await testComputer(ok);
    await using one = await inside(computer);
    await one.type('/redraw');
    await one.type('/help');
    await one.type('/EXIT');
    expect(one.reported).toEqual(['redrawn']);
    expect(one.pages[0]?.text).toMatch(/\/permissions \[mode[^]*Shift\+Tab, Alt\+M +next permission mode/);
    expect(one.isLeft()).toBe(true);
  });
});

test.each([
  ['/notes add "a title" \'its content\'', /Added: /],
  ['/notes', /No notes\./],
  ['/tasks', /No open tasks\./],
  ['/memory', /No memories\./],
  ['/research', /No research reports in this folder\./],
  ['/automations', /No automations\./],
  ['/mcp', /This project has no MCP servers\./],
  ['/hooks', /This project has no hooks\./],
  ['/plugins', /This project has no plugins\./],
  ['/forge', /No forged tools\./],
  ['/notes show nothing', /warning: notes show nothing/],
  ['/mcp nonsense', /unknown command 'nonsense'/],
])('%s answers like its command-line counterpart', async (typed, expected) => {
  await using computer = await testComputer(ok);
  await using one = await inside(computer);
  await one.type(typed);
  expect(one.reported.join('\n')).toMatch(expected);
});

test('/doctor opens a page, and /library lists the library', async () => {
  await using computer = await testComputer(ok);
  await using one = await talked(computer);
  await one.type('/doctor');
  expect([...one.pages.map(({ title }) => title), ...one.reported].join('\n')).toContain('doctor');
  await one.type('/library');
  expect(one.reported.at(-1)).toBe('info: The library of this project is empty.');
});
