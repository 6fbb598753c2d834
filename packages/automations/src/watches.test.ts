import { expect, test } from '@jest/globals';
import { type Fixture, fixture, START_MS, settle } from '../test/fixture.ts';
import type { Automations } from './automations.ts';
import type { WatchedChange } from './needs.ts';

interface Watching {
  fix: Fixture;
  automations: Automations;
  id: string;
  /** Folders that are watched now. */
  folders: Set<string>;
  change(path: string, more?: Partial<WatchedChange>): Promise<void>;
}

async function watching(fix: Fixture, patterns: string): Promise<Watching> {
  const folders = new Set<string>();
  let report: ((changes: readonly WatchedChange[]) => void) | undefined;
  const automations = fix.open({
    watchFolder(folder, onChange) {
      folders.add(folder);
      report = onChange;
      return () => folders.delete(folder);
    },
  });
  await automations.start();
  const { id } = await automations.create(
    {
      name: 'Docs',
      instructions: 'Check the docs.',
      folder: '/project',
      model: 'ollama:tiny',
      schedule: { kind: 'manual' },
    },
    { kind: 'window' },
  );
  await automations.watches.set(id, patterns);
  return {
    fix,
    automations,
    id,
    folders,
    async change(path, more = {}) {
      report?.([{ path, kind: 'file', changedAt: fix.now(), ...more }]);
      await settle();
    },
  };
}

test('starts one run after matching changes have stopped, with their paths as data', async () => {
  await using fix = await fixture();
  const { change, folders } = await watching(fix, 'docs/**/*.md\n!docs/draft.md');
  expect([...folders]).toEqual(['/project']);
  await change('src/a.ts');
  await change('docs/draft.md');
  await change('docs/new', { kind: 'folder' });
  await fix.advance(5_000);
  expect(fix.sessions.started).toEqual([]);
  await change('docs/b.md');
  await fix.advance(1_500);
  await change('docs/x/a.md', { kind: 'gone' });
  await fix.advance(1_500);
  expect(fix.sessions.started).toEqual([]);
  await fix.advance(1_000);
  expect(fix.sessions.started).toHaveLength(1);
  expect(fix.sessions.started[0]?.message).toMatch(
    /Changes of files started this run\..*\n(id-\d+)\ndocs\/b\.md\ndocs\/x\/a\.md\n\1\n/,
  );
});

test('changes of its own run start none, and runs are a minute apart', async () => {
  await using fix = await fixture();
  const { change } = await watching(fix, '*.md');
  await change('a.md');
  await fix.advance(3_000);
  expect(fix.sessions.started).toHaveLength(1);
  await change('a.md');
  await fix.advance(5_000);
  const wrote = fix.now();
  await fix.sessions.finish('session-1');
  // The watcher reports in batches: after the end.
  await change('a.md', { changedAt: wrote });
  await fix.advance(70_000);
  expect(fix.sessions.started).toHaveLength(1);
  await change('a.md');
  await fix.advance(3_000);
  expect(fix.sessions.started).toHaveLength(2);
  await fix.sessions.finish('session-2');
  await fix.advance(1_000);
  await change('a.md');
  await fix.advance(50_000);
  expect(fix.sessions.started).toHaveLength(2);
  await fix.advance(10_000);
  expect(fix.sessions.started).toHaveLength(3);
});

test('watches nothing while the automation is off, without patterns, or once it is deleted', async () => {
  await using fix = await fixture();
  const { automations, id, folders, change } = await watching(fix, '*.md');
  await automations.toggle(id, false);
  await change('a.md');
  await fix.advance(31_000);
  expect(fix.sessions.started).toEqual([]);
  expect(folders.size).toBe(0);
  await automations.toggle(id, true);
  await fix.advance(31_000);
  expect(folders.size).toBe(1);
  await change('a.md');
  expect(await automations.watches.set(id, null)).toEqual({ patterns: null });
  expect(folders.size).toBe(0);
  await fix.advance(5_000);
  expect(fix.sessions.started).toEqual([]);
  await automations.watches.set(id, '*.ts');
  expect(automations.watches.view(id)).toEqual({ patterns: '*.ts' });
  await automations.remove(id);
  await fix.advance(31_000);
  expect(folders.size).toBe(0);
  expect(fix.now()).toBeGreaterThan(START_MS);
});

test.each(['', '  \n', '# only a comment', '!a.md', 'a\n'.repeat(51)])(
  'refuses patterns that name no files: %j',
  async (patterns) => {
    await using fix = await fixture();
    const { automations, id } = await watching(fix, '*.md');
    await expect(automations.watches.set(id, patterns)).rejects.toMatchObject({
      code: 'AUTOMATION_INVALID',
      reason: 'watch-patterns',
    });
    expect(automations.watches.view(id)).toEqual({ patterns: '*.md' });
  },
);
