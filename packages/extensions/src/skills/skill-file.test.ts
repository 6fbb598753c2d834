import { expect, test } from '@jest/globals';
import { parseSkill } from './skill-file.ts';

const skill = (head: string): string => `---\n${head}\n---\nTag it.\n`;

test('reads name, description and instructions', async () => {
  expect(await parseSkill(skill('name: Release\ndescription: How'))).toEqual({
    name: 'Release',
    description: 'How',
    instructions: 'Tag it.\n',
  });
});

test.each([
  ['name: Release\ndescription: [1]', 'SKILL.md:3:14: description: expected string'],
  ['name: Release', 'SKILL.md:2:1: description: expected string'],
  ['description: How\nname: ""', 'SKILL.md:3:7: name: expected string to have >=1 characters'],
])('names the place, the key and what is allowed: %j', async (head, problem) => {
  expect(await parseSkill(skill(head))).toEqual({ problem });
});

test('names the place of a head that is no YAML, or whose aliases could grow', async () => {
  expect(await parseSkill(skill('name: Release\ndescription: "How'))).toEqual({
    problem: expect.stringMatching(/^SKILL\.md:\d:\d+: /),
  });
  const aliases = 'a: &a [x, x]\nb: &b [*a, *a]\nname: *b\ndescription: *a';
  expect(await parseSkill(skill(aliases))).toEqual({ problem: expect.stringMatching(/^SKILL\.md:2:1: /) });
});
