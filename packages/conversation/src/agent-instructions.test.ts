import { describe, expect, test } from '@jest/globals';
import { changedInstructions, isAgentInstructions } from './agent-instructions.ts';
import type { FileChange } from './items.ts';

const paths = (text: string): string[] => text.trim().split(/\s+/);

describe('instructions for agents', () => {
  test.each(
    paths(`
      AGENTS.md packages/app/AGENTS.md agents.MD AGENTS.override.md CLAUDE.md CLAUDE.local.md .claude/CLAUDE.md GEMINI.md
      QWEN.md .github/copilot-instructions.md .github/instructions/python.instructions.md .cursorrules .cursor/rules/a.mdc
      packages/app/.cursor/rules/deep/er/a.mdc .windsurfrules .windsurf/rules/a.md .clinerules .clinerules/a.md
      .clinerules-code .roorules .roo/rules/a.md .goosehints .kiro/steering/product.md .continue/rules/a.md .junie/guidelines.md
      .svc/agents/reviewer.md .svc/commands/git/push.md .claude/agents/reviewer.md .agents/skills/x/SKILL.md skills/x/SKILL.md packages\\app\\Agents.md
    `),
  )('contain %s', (path) => expect(isAgentInstructions(path)).toBe(true));

  test.each(
    paths(`
      README.md docs/AGENTS.md.txt MY-AGENTS.md AGENTS.mdx AGENTS.md/notes.txt agents/a.md .cursor/settings.json
      .github/workflows/ci.yml .github/CODEOWNERS .claude/settings.json .svc/hooks.json src/rules/a.md cursor/rules/a.mdc .cursorrules.bak
      .roorulesx instructions.md src/agent.ts .cursor/x/rules/a.mdc
    `),
  )('do not contain %s', (path) => expect(isAgentInstructions(path)).toBe(false));
});

const change = (path: string, before: string | null, after: string | null): FileChange => ({
  path,
  before,
  after,
  turn: 1,
  isTooLarge: false,
});

test('changed instructions are named once, without those that ended as they began', () => {
  const changes = [
    change('AGENTS.md', 'a', 'b'),
    change('README.md', 'a', 'b'),
    change('AGENTS.md', 'b', 'c'),
    change('CLAUDE.md', 'a', 'b'),
    change('CLAUDE.md', 'b', 'a'),
    change('GEMINI.md', 'a', null),
    { ...change('QWEN.md', null, null), isTooLarge: true },
    change('.cursorrules', null, 'a'),
  ];
  expect(changedInstructions(changes)).toEqual(['AGENTS.md', 'GEMINI.md', 'QWEN.md', '.cursorrules']);
});
