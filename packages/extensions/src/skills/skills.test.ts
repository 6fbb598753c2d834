import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { realFolder, systemAmbient, type ToolContext } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createSwitches } from '../own/switches.ts';
import { createSkills } from './skills.ts';

const ambient = systemAmbient('silent');

async function fixture() {
  const dir = await tempDir();
  const folder = join(dir.path, 'project');
  const personal = join(dir.path, 'personal');
  await mkdir(folder);
  await mkdir(personal);
  const skills = createSkills({
    ambient,
    personalFolder: personal,
    switches: createSwitches(dir.path, 'skills'),
    isEnabled: () => true,
  });
  const write = async (root: string, path: string, content: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  };
  const real = await realFolder(folder);
  return {
    skills,
    folder: real,
    outside: dir.path,
    project: (path: string, content: string) => write(real, `.svc/skills/${path}`, content),
    other: (path: string, content: string) => write(real, path, content),
    personal: (path: string, content: string) => write(personal, path, content),
    async read(input: object) {
      const tool = await skills.tool(real);
      return tool?.run(tool.input.parse(input), {} as ToolContext);
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

const skill = (name: string, description = `About ${name}`) =>
  `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}\nDo it well.\n`;

test('lists skills of project and user, and the project’s wins on a conflict', async () => {
  await using place = await fixture();
  expect(await place.skills.list(place.folder)).toEqual({ rows: [] });
  expect(await place.skills.tool(place.folder)).toBeUndefined();
  await place.project('release/SKILL.md', skill('Release', 'How we release'));
  await place.personal('release/SKILL.md', skill('Other'));
  await place.personal('letters/SKILL.md', skill('Letters'));
  await place.project('empty/notes.md', 'no skill');
  expect(await place.skills.list(place.folder)).toEqual({
    rows: [
      { id: 'release', name: 'Release', description: 'How we release' },
      { id: 'letters', name: 'Letters', description: 'About Letters' },
    ],
  });
});

test('reports a malformed skill and offers none meanwhile', async () => {
  await using place = await fixture();
  await place.project('good/SKILL.md', skill('Good'));
  for (const text of [
    'no front matter',
    '---\nname: x\n---\n',
    '---\nname: [\n---\n',
    '---\nname: &a [*a]\ndescription: d\n---\n',
  ]) {
    await place.project('bad/SKILL.md', text);
    const listed = await place.skills.list(place.folder);
    expect(listed).toHaveProperty('problem', expect.stringContaining('.svc/skills/bad/SKILL.md'));
    expect(await place.skills.tool(place.folder)).toBeUndefined();
  }
});

test('offers names and descriptions and loads the rest on demand', async () => {
  await using place = await fixture();
  await place.project('release/SKILL.md', skill('Release', 'How we release'));
  await place.project('release/steps/one.md', 'Step one.');
  await place.project('release/logo.bin', 'a\0b');
  const tool = await place.skills.tool(place.folder);
  expect(tool?.description).toContain('- release: How we release');
  expect(await place.read({ id: 'release' })).toEqual({ content: skill('Release', 'How we release') });
  expect(await place.read({ id: 'release', file: 'steps/one.md' })).toEqual({ content: 'Step one.' });
  expect(await place.read({ id: 'none' })).toMatchObject({
    isError: true,
    content: expect.stringContaining('release'),
  });
  expect(await place.read({ id: 'release', file: 'logo.bin' })).toMatchObject({ isError: true });
});

test('reads nothing outside the skill’s folder', async () => {
  await using place = await fixture();
  await place.project('release/SKILL.md', skill('Release'));
  await place.project('other/secret.md', 'secret');
  await writeFile(join(place.outside, 'passwd'), 'secret');
  await symlink('../other/secret.md', join(place.folder, '.svc/skills/release/link.md'));
  await symlink(join(place.outside, 'passwd'), join(place.folder, '.svc/skills/release/away.md'));
  for (const file of ['../other/secret.md', '/etc/passwd', 'link.md', 'away.md', '..', 'x\0y']) {
    const answer = await place.read({ id: 'release', file });
    expect([file, answer?.isError, answer?.content.includes('secret') && answer.content.includes('\nsecret')]).toEqual([
      file,
      true,
      false,
    ]);
  }
});

test('reads those of other tools after the project’s own, and skips what it cannot read there', async () => {
  await using place = await fixture();
  await place.project('release/SKILL.md', skill('Release', 'Ours'));
  await place.other('.claude/skills/release/SKILL.md', skill('Release', 'Theirs'));
  await place.other('.agents/skills/pdf/SKILL.md', skill('PDF', 'Reads PDF'));
  await place.other('.agents/skills/pdf/forms.md', 'Forms.');
  await symlink('../../.agents/skills/pdf', `${place.folder}/.claude/skills/pdf`);
  await place.other('.claude/skills/broken/SKILL.md', 'no head');
  await place.other('.agents/skills/broken/SKILL.md', skill('Other', 'Works'));
  await symlink(place.outside, `${place.folder}/.claude/skills/away`);
  await place.personal('pdf/SKILL.md', skill('PDF', 'Personal'));
  expect(await place.skills.list(place.folder)).toMatchObject({
    rows: [
      { id: 'release', description: 'Ours' },
      { id: 'pdf', description: 'Reads PDF' },
      { id: 'broken', description: 'Works' },
    ],
  });
  expect(await place.read({ id: 'pdf', file: 'forms.md' })).toEqual({ content: 'Forms.' });
});
