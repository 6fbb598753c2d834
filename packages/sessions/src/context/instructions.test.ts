import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { testSessions } from '../../test/harness.ts';
import { say } from '../testing.ts';
import { folderBrief } from './folder-brief.ts';

type Files = Readonly<Record<string, string | Buffer>>;

async function write(root: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

async function briefOf(files: Files) {
  await using dir = await tempDir();
  await write(dir.path, files);
  const { instructions, sources } = await folderBrief(dir.path);
  const rows = sources.map(({ path, state, reason }) => `${path} ${reason ?? state}`);
  return { instructions, sources, rows };
}

const rule = (front: string, body: string): string => `---\n${front}\n---\n${body}\n`;

describe('the instructions of a folder', () => {
  test('are AGENTS.md of each folder, else CLAUDE.md, as before', async () => {
    const { instructions, rows } = await briefOf({
      'AGENTS.md': 'Build with make.\n',
      'CLAUDE.md': 'Never read.',
      'api/CLAUDE.md': 'Only Go.',
    });
    expect(instructions).toBe(
      'Project instructions from AGENTS.md:\nBuild with make.\n\n\nProject instructions from api/CLAUDE.md, for what is in api/:\nOnly Go.',
    );
    expect(rows).toEqual(['AGENTS.md sent', 'CLAUDE.md replaced', 'api/CLAUDE.md sent']);
  });

  test('are truncated at 24,000 bytes, with a note', async () => {
    const { instructions, sources } = await briefOf({ 'AGENTS.md': `${'é'.repeat(12_000)}x`, 'a/AGENTS.md': 'late' });
    expect(instructions).toContain(`${'é'.repeat(12_000)}\n[Truncated: AGENTS.md is 24001 bytes;`);
    expect(instructions).toContain('[Truncated: a/AGENTS.md is 4 bytes;');
    expect(sources.map(({ state }) => state)).toEqual(['truncated', 'truncated']);
  });

  test('include the files of other tools after them', async () => {
    const { instructions, rows } = await briefOf({
      'AGENTS.md': 'One.',
      '.github/copilot-instructions.md': 'Two.',
      '.cursor/rules/always.mdc': rule('description:\nglobs:\nalwaysApply: true', 'Three.'),
      '.cursor/rules/web/react.mdc': rule('description: React style\nglobs: *.tsx, src/**/*.{ts,css}', 'Hidden.'),
      '.cursor/rules/db.mdc': rule('description: "How migrations are written"\nalwaysApply: false', 'Hidden.'),
      '.cursor/rules/list.mdc': rule('globs:\n  - "*.go"\n  - go.mod\nalwaysApply: false', 'Hidden.'),
      '.cursor/rules/named.mdc': rule('alwaysApply: false', 'Hidden.'),
      '.cursor/rules/notes.txt': 'Hidden.',
      '.cursorrules': 'Four.',
    });
    expect(instructions.replaceAll('Project instructions from ', '')).toBe(
      [
        'AGENTS.md:\nOne.',
        '.github/copilot-instructions.md:\nTwo.',
        '.cursor/rules/always.mdc:\nThree.',
        [
          'Project rules for some files or subjects. Read one before you work on files that match it or on its subject:',
          '- .cursor/rules/db.mdc: How migrations are written',
          '- .cursor/rules/list.mdc (files: *.go, go.mod)',
          '- .cursor/rules/web/react.mdc (files: *.tsx, src/**/*.{ts,css}): React style',
        ].join('\n'),
        '.cursorrules:\nFour.',
      ].join('\n\n'),
    );
    expect(rows).toEqual([
      'AGENTS.md sent',
      '.github/copilot-instructions.md sent',
      '.cursor/rules/always.mdc sent',
      '.cursor/rules/db.mdc listed',
      '.cursor/rules/list.mdc listed',
      '.cursor/rules/named.mdc on-request',
      '.cursor/rules/web/react.mdc listed',
      '.cursorrules sent',
    ]);
  });

  test('contain a text once, and none that is empty or binary', async () => {
    const { instructions, rows } = await briefOf({
      'CLAUDE.md': 'Same.\n',
      '.github/copilot-instructions.md': '\nSame.',
      '.cursor/rules/same.mdc': rule('alwaysApply: true', 'Same.'),
      '.cursor/rules/void.mdc': rule('alwaysApply: true', ''),
      '.cursorrules': Buffer.from([1, 0, 2]),
    });
    expect(instructions).toBe('Project instructions from CLAUDE.md:\nSame.\n');
    expect(rows).toEqual([
      'CLAUDE.md sent',
      '.github/copilot-instructions.md same-text',
      '.cursor/rules/same.mdc same-text',
      '.cursor/rules/void.mdc empty',
      '.cursorrules not-text',
    ]);
  });

  test('are not read through links out of the folder, and are through links inside', async () => {
    await using dir = await tempDir();
    await using elsewhere = await tempDir();
    const outside = elsewhere.path;
    await write(outside, { secret: 'Key.', 'rules/a.mdc': rule('alwaysApply: true', 'Key.') });
    await write(dir.path, { 'docs/agents.md': 'Inside.', '.github/x': '' });
    await symlink(join(outside, 'secret'), join(dir.path, 'AGENTS.md'));
    await symlink('docs/agents.md', join(dir.path, 'CLAUDE.md'));
    await symlink(join(outside, 'secret'), join(dir.path, '.github/copilot-instructions.md'));
    await symlink(outside, join(dir.path, '.cursor'));
    const { instructions, sources } = await folderBrief(dir.path);
    expect(instructions).toBe('Project instructions from CLAUDE.md:\nInside.');
    expect(sources.map(({ path, reason }) => [path, reason])).toEqual([
      ['AGENTS.md', 'outside'],
      ['CLAUDE.md', null],
      ['.github/copilot-instructions.md', 'outside'],
    ]);
  });

  test('of a hostile folder stay within the limit', async () => {
    const files: Record<string, string> = { '.github/copilot-instructions.md': 'x'.repeat(3_000_000) };
    for (let at = 0; at < 400; at += 1) {
      files[`.cursor/rules/${String(at).padStart(3, '0')}.mdc`] = rule(
        at % 2 ? 'alwaysApply: true' : `description: ${'y'.repeat(5_000)}\n`,
        `${at} ${'z'.repeat(500)}`,
      );
    }
    const { instructions, sources } = await briefOf(files);
    expect(Buffer.byteLength(instructions)).toBeLessThan(25_000);
    expect(sources[0]).toEqual({
      path: '.github/copilot-instructions.md',
      sizeBytes: 3_000_000,
      state: 'truncated',
      reason: null,
      ignored: [],
    });
    expect(sources.filter(({ reason }) => reason === 'limit')).toHaveLength(100);
    expect(sources.filter(({ reason }) => reason === 'too-many')).toHaveLength(300);
    const { instructions: again } = await briefOf(files);
    expect(again).toBe(instructions);
  });

  test('list as many rules as fit, each on one short line', async () => {
    const files: Record<string, string> = {};
    for (let at = 0; at < 100; at += 1) {
      files[`.cursor/rules/${at}.mdc`] = rule(
        `description: ${'y'.repeat(5_000)}\nglobs: ${'g'.repeat(900)}`,
        'Hidden.',
      );
    }
    const { instructions, rows } = await briefOf(files);
    expect(Buffer.byteLength(instructions)).toBeLessThanOrEqual(24_000);
    expect(rows.filter((row) => row.endsWith(' listed')).length).toBeGreaterThan(40);
    expect(rows.at(-1)).toBe('.cursor/rules/99.mdc limit');
    expect(Math.max(...instructions.split('\n').map((line) => line.length))).toBeLessThan(500);
  });

  test('are listed by /context in the language of the session, and by the session', async () => {
    await using setup = await testSessions([{ events: say('one') }]);
    await write(setup.dir, { 'AGENTS.md': 'One.', 'CLAUDE.md': 'Two.' });
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    await setup.sessions.turns.resume(id, { message: '/context' });
    await setup.sessions.turns.settled(id);
    expect(JSON.stringify(await setup.events(id))).toContain(
      'Istruzioni del progetto, per precedenza:\\n- `AGENTS.md` (4 byte) inviato\\n- `CLAUDE.md` (4 byte) escluso: al suo posto c’è AGENTS.md',
    );
    expect(await setup.sessions.instructions(id)).toEqual([
      { path: 'AGENTS.md', sizeBytes: 4, state: 'sent', reason: null, ignored: [] },
      { path: 'CLAUDE.md', sizeBytes: 4, state: 'left-out', reason: 'replaced', ignored: [] },
    ]);
    await expect(setup.sessions.instructions('none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('are the same bytes in every request of a session', async () => {
    await using setup = await testSessions([{ events: say('one') }, { events: say('two') }]);
    await write(setup.dir, { '.cursor/rules/a.mdc': rule('alwaysApply: true', 'Use tabs.') });
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    await write(setup.dir, { '.cursor/rules/a.mdc': rule('alwaysApply: true', 'Use spaces.') });
    await setup.sessions.turns.resume(id, { message: 'more' });
    await setup.sessions.turns.settled(id);
    const [first, second] = setup.model.requests.map(({ system }) => JSON.stringify(system));
    expect(first).toContain('Project instructions from .cursor/rules/a.mdc:\\nUse tabs.');
    expect(second).toBe(first);
  });
});
