import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { parseFrontMatter } from '../front-matter.ts';
import { readAgentDefinitions } from './agent-definitions.ts';
import { agentTools, mayUse } from './agent-tools.ts';
import { folderBrief } from './folder-brief.ts';

async function write(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

async function definitionsOf(files: Readonly<Record<string, string>>) {
  await using dir = await tempDir();
  await write(dir.path, files);
  const { agents, leftOut } = await readAgentDefinitions(dir.path);
  return { agents, rows: leftOut.map(({ path, reason }) => `${path} ${reason}`) };
}

const agent = (front: string, body = 'Do it.'): string => `---\n${front}\n---\n${body}\n`;

describe('the agents of a project', () => {
  test('are read from .svc/agents, then .claude/agents, with the folders in them', async () => {
    const { agents, rows } = await definitionsOf({
      '.claude/agents/reviewer.md': agent('name: reviewer\ndescription: "Reviews"\ntools: Read, Grep\nmodel: inherit'),
      '.claude/agents/web/tester.md': agent('description: >\n  Tests\n  pages\nmodel: opus'),
      '.svc/agents/reviewer.md': agent('description: Ours'),
      '.claude/agents/notes.txt': 'Not read.',
    });
    expect(agents.map(({ name, description, model }) => [name, description, model])).toEqual([
      ['reviewer', 'Ours', undefined],
      ['tester', 'Tests pages', 'opus'],
    ]);
    expect(rows).toEqual(['.claude/agents/reviewer.md same-name']);
  });

  test('with something wrong are named with the reason, and hide no others', async () => {
    const { agents, rows } = await definitionsOf({
      '.claude/agents/a.md': 'No front matter.',
      '.claude/agents/b.md': agent('name: b\ndescription: Empty', ''),
      '.claude/agents/c.md': agent('name: ../../etc/passwd\ndescription: Path'),
      '.claude/agents/d.md': agent('name: d\ndescription: Long', 'x'.repeat(65 * 1024)),
      '.claude/agents/e.md': `${agent('name: e\ndescription: Bytes')}\0`,
      '.claude/agents/f.md': agent('name: f\ndescription: Works'),
    });
    expect(agents.map(({ name }) => name)).toEqual(['f']);
    expect(rows.map((row) => row.replace('.claude/agents/', ''))).toEqual([
      'a.md no-description',
      'b.md empty',
      'c.md invalid-name',
      'd.md too-long',
      'e.md not-text',
    ]);
  });

  test('with something wrong in their front matter are named with the place', async () => {
    await using dir = await tempDir();
    await write(dir.path, {
      '.claude/agents/a.md': agent('description: A\nname:  no/name'),
      '.claude/agents/b.md': agent('name: b\ndescription: " "'),
      '.claude/agents/c.md': agent('name: c'),
      '.claude/agents/d.md': '---\nname: d\ndescription: D\nDo it.\n',
      '.claude/agents/e.md': agent('description: E\nname: works'),
      '.claude/agents/f.md': agent('description: F\nname: works'),
      '.claude/agents/g.md': agent('name: g\ndescription: G', ''),
    });
    const { leftOut } = await readAgentDefinitions(dir.path);
    const rows = leftOut.map(({ path, reason, place }) => [
      path.at(-4),
      reason,
      place && `${place.line}:${place.column}`,
    ]);
    expect(rows).toEqual([
      ['a', 'invalid-name', '3:8'],
      ['b', 'no-description', '3:14'],
      ['c', 'no-description', '1:1'],
      ['d', 'no-end', '1:1'],
      ['f', 'same-name', '3:7'],
      ['g', 'empty', undefined],
    ]);
  });

  test('are at most 50 files, and follow no link out of the folder', async () => {
    await using outside = await tempDir();
    await write(outside.path, { 'secret.md': agent('description: Secret'), 'agents/x.md': agent('description: X') });
    await using dir = await tempDir();
    await write(dir.path, { '.claude/agents/real.md': agent('description: Real') });
    await symlink(join(outside.path, 'secret.md'), join(dir.path, '.claude/agents/secret.md'));
    await symlink(join(outside.path, 'agents'), join(dir.path, '.claude/agents/linked'));
    await symlink('.', join(dir.path, '.claude/agents/loop'));
    await symlink(join(outside.path, 'agents'), join(dir.path, '.svc'));
    const { agents, leftOut } = await readAgentDefinitions(dir.path);
    expect(agents.map(({ name }) => name)).toEqual(['real']);
    expect(leftOut.map(({ path, reason }) => `${path} ${reason}`)).toContain('.claude/agents/secret.md outside');
    expect(JSON.stringify(leftOut)).not.toContain('linked');
    const many = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`.claude/agents/n${at}.md`, agent(`description: ${at}`)]),
    );
    const { agents: some, rows } = await definitionsOf(many);
    expect([some.length, rows.filter((row) => row.endsWith('too-many')).length]).toEqual([50, 10]);
  });

  test('are listed for the model with name and description, without their instructions', async () => {
    await using dir = await tempDir();
    await write(dir.path, {
      '.claude/agents/reviewer.md': agent('description: Reviews\ntools: Read, Telepathy', 'Hidden.'),
    });
    const { instructions, sources } = await folderBrief(dir.path);
    expect(instructions).toBe('Agents of the project, to whom tasks can be given by name:\n- reviewer: Reviews');
    expect(sources).toEqual([
      { path: '.claude/agents/reviewer.md', sizeBytes: 60, state: 'offered', reason: null, ignored: ['Telepathy'] },
    ]);
  });
});

describe('the tools of an agent', () => {
  const toolsOf = (front: string) => agentTools(parseFrontMatter(agent(front)));
  const ALL = ['leggi', 'cerca', 'elenca', 'shell', 'prova', 'scrivi', 'file_edit', 'mcp__db__query', 'mcp__web__get'];
  const usable = (front: string) => ALL.filter((name) => mayUse(toolsOf(front).tools, name));

  test('have the names of other programs', () => {
    expect(usable('tools: Read, Grep, Bash')).toEqual(['leggi', 'cerca', 'shell', 'prova']);
    expect(usable('tools:\n  - Write\n  - mcp__db')).toEqual(['scrivi', 'mcp__db__query']);
    expect(usable('tools: leggi, mcp__web__get')).toEqual(['leggi', 'mcp__web__get']);
  });

  test('are all of the session without the field, and without those that are denied', () => {
    expect(usable('description: x')).toEqual(ALL);
    expect(usable('tools: "*"')).toEqual(ALL);
    expect(usable('disallowedTools: Bash, mcp__web')).toEqual(
      ALL.filter((name) => !['shell', 'prova', 'mcp__web__get'].includes(name)),
    );
  });

  test('do not include unknown ones, nor one that is limited by a pattern', () => {
    expect(toolsOf('tools: Read, Bash(git:*), Telepathy').unknown).toEqual(['Bash(git:*)', 'Telepathy']);
    expect(usable('tools: Bash(git:*)')).toEqual([]);
    expect(usable('tools:')).toEqual([]);
  });
});
