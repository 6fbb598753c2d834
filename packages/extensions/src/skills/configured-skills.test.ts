import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { realFolder, systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createSwitches } from '../own/switches.ts';
import { createConfiguredSkills } from './configured-skills.ts';
import { createSkills } from './skills.ts';

const ambient = systemAmbient('silent');
const text = { name: 'Release: now', description: 'How "we" release', instructions: '1. Tag.\n2. Push.' };

async function fixture() {
  const dir = await tempDir();
  await mkdir(join(dir.path, 'project'));
  const folder = await realFolder(join(dir.path, 'project'));
  const needs = {
    ambient,
    personalFolder: join(await realFolder(dir.path), 'data', 'skills'),
    switches: createSwitches(join(dir.path, 'data'), 'skills'),
    isEnabled: () => true,
  };
  const skills = createSkills(needs);
  return {
    configured: createConfiguredSkills(needs),
    folder,
    outside: dir.path,
    mine: { scope: 'everywhere' as const, folder: null, id: 'release' },
    ofProject: { scope: 'project' as const, folder, id: 'release' },
    async put(path: string, content: string) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    },
    offered: async () => (await skills.tool(folder))?.description ?? '',
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

test('a skill is written for the user or into the project, and agents are offered it', async () => {
  await using place = await fixture();
  await place.configured.add(place.mine, text);
  expect(await place.configured.list(undefined)).toMatchObject([{ ...place.mine, name: text.name, isOn: true }]);
  expect(await place.offered()).toContain('- release: How "we" release');
  await place.configured.add(place.ofProject, { ...text, description: 'Of the project' });
  expect(await place.configured.list(place.folder)).toMatchObject([
    { scope: 'project', description: 'Of the project', isReplaced: false },
    { scope: 'everywhere', isReplaced: true },
  ]);
  expect(await readFile(join(place.folder, '.svc/skills/release/SKILL.md'), 'utf8')).toBe(
    '---\nname: "Release: now"\ndescription: Of the project\n---\n\n1. Tag.\n2. Push.\n',
  );
  expect(await place.offered()).toContain('- release: Of the project');
  expect(await place.configured.read(place.ofProject)).toEqual({
    ...text,
    description: 'Of the project',
    instructions: '1. Tag.\n2. Push.\n',
    files: [],
  });
});

test('a skill that is off is not offered, and the other with its id is', async () => {
  await using place = await fixture();
  await place.configured.add(place.mine, { ...text, description: 'Mine' });
  await place.configured.add(place.ofProject, text);
  await place.configured.turn(place.ofProject, false);
  expect(await place.offered()).toContain('- release: Mine');
  expect(await place.configured.list(place.folder)).toMatchObject([{ isOn: false }, { isReplaced: false }]);
  await place.configured.turn(place.mine, false);
  expect(await place.offered()).toBe('');
});

test('a change keeps the other fields of the head', async () => {
  await using place = await fixture();
  const head = '---\nname: Old\nlicense: MIT # of ours\nallowed-tools: [shell]\ndescription: Old\n---\nOld text.\n';
  await place.put('.svc/skills/release/SKILL.md', head);
  await place.configured.change(place.ofProject, text);
  const written = await readFile(join(place.folder, '.svc/skills/release/SKILL.md'), 'utf8');
  expect(written).toContain('license: MIT # of ours\nallowed-tools: [ shell ]\n');
  expect(written).toContain('name: "Release: now"');
  expect(written).not.toContain('Old');
});

test('a broken skill is shown with its problem and can be corrected; while it is off the others are offered', async () => {
  await using place = await fixture();
  await place.put('.svc/skills/release/SKILL.md', 'no head');
  await place.configured.add({ ...place.mine, id: 'other' }, text);
  expect(await place.configured.list(place.folder)).toMatchObject([
    { id: 'release', problem: expect.stringContaining('name and description') },
    { id: 'other', problem: null },
  ]);
  await place.configured.turn(place.ofProject, false);
  expect(await place.offered()).toContain('- other');
  expect(await place.configured.read(place.ofProject)).toMatchObject({ name: '', instructions: 'no head' });
  await place.configured.change(place.ofProject, text);
  expect(await place.configured.row(place.ofProject)).toMatchObject({ name: text.name, problem: null });
});

test('a skill is removed with the files beside it', async () => {
  await using place = await fixture();
  await place.configured.add(place.ofProject, text);
  await place.put('.svc/skills/release/scripts/tag.sh', 'git tag');
  expect(await place.configured.read(place.ofProject)).toMatchObject({ files: ['scripts'] });
  await place.configured.turn(place.ofProject, false);
  await place.configured.remove(place.ofProject);
  expect(await place.configured.list(place.folder)).toEqual([]);
  await expect(place.configured.remove(place.ofProject)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  // A new one with its id is on.
  await place.configured.add(place.ofProject, text);
  expect(await place.configured.row(place.ofProject)).toMatchObject({ isOn: true });
});

test('nothing is written or removed through a link out of the project', async () => {
  await using place = await fixture();
  const elsewhere = join(place.outside, 'elsewhere');
  await mkdir(join(elsewhere, 'release'), { recursive: true });
  await writeFile(join(elsewhere, 'release', 'SKILL.md'), 'kept');
  await symlink(elsewhere, join(place.folder, '.svc'));
  await expect(place.configured.add(place.ofProject, text)).rejects.toMatchObject({ code: 'WORKSPACE_NOT_AVAILABLE' });
  const removing = place.configured.remove(place.ofProject);
  await expect(removing).rejects.toMatchObject({ code: 'WORKSPACE_NOT_AVAILABLE' });
  expect(await readFile(join(elsewhere, 'release', 'SKILL.md'), 'utf8')).toBe('kept');
});

test('of a skill that is a link only the link is removed', async () => {
  await using place = await fixture();
  await place.put('docs/release/SKILL.md', '---\nname: A\ndescription: B\n---\n');
  await mkdir(join(place.folder, '.svc/skills'), { recursive: true });
  await symlink('../../docs/release', join(place.folder, '.svc/skills/release'));
  await place.configured.remove(place.ofProject);
  expect(await readFile(join(place.folder, 'docs/release/SKILL.md'), 'utf8')).toContain('name: A');
});

test('a skill is refused that exists, is too large, or has no valid id, name or description', async () => {
  await using place = await fixture();
  await place.configured.add(place.mine, text);
  await expect(place.configured.add(place.mine, text)).rejects.toMatchObject({ code: 'FILE_EXISTS' });
  const other = { ...place.mine, id: 'other' };
  await expect(place.configured.add(other, { ...text, instructions: 'x'.repeat(70_000) })).rejects.toMatchObject({
    code: 'FILE_TOO_LARGE',
  });
  for (const bad of [{ name: ' ' }, { description: '' }, { name: 'x'.repeat(65) }]) {
    await expect(place.configured.add(other, { ...text, ...bad })).rejects.toMatchObject({ code: 'QUERY_INVALID' });
  }
  await expect(place.configured.add({ ...other, id: '../up' }, text)).rejects.toMatchObject({ code: 'QUERY_INVALID' });
  await expect(place.configured.change(other, text)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await place.configured.list(undefined)).toHaveLength(1);
});

test('a skill of another tool is listed with its file, changed and removed where it is', async () => {
  await using place = await fixture();
  const file = '.claude/skills/release/SKILL.md';
  await place.put(file, '---\nname: Old\ndescription: Old\n---\nOld.\n');
  await place.put('.agents/skills/release/SKILL.md', '---\nname: Last\ndescription: Last\n---\nLast.\n');
  await place.put('.agents/skills/odd/SKILL.md', 'no head');
  expect(await place.configured.list(place.folder)).toMatchObject([
    { id: 'release', name: 'Old', file, problem: null },
    { id: 'odd', file: '.agents/skills/odd/SKILL.md', problem: expect.stringContaining('---') },
  ]);
  await place.configured.change(place.ofProject, text);
  expect(await readFile(join(place.folder, file), 'utf8')).toContain('2. Push.');
  await place.configured.turn(place.ofProject, false);
  expect(await place.offered()).toBe('');
  await place.configured.turn(place.ofProject, true);
  await place.configured.add(place.ofProject, { ...text, description: 'Ours' });
  expect(await place.offered()).toContain('- release: Ours');
  await place.configured.remove(place.ofProject);
  expect(await place.configured.list(place.folder)).toMatchObject([{ id: 'release', file }, { id: 'odd' }]);
  await place.configured.remove(place.ofProject);
  expect((await place.configured.row(place.ofProject)).name).toBe('Last');
});
