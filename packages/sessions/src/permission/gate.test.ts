import { PERMISSION_LEVELS, type ToolPermission } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { changeSettings } from '../settings.ts';
import { grantsFor } from '../state/grants.ts';
import type { SessionSettings } from '../state/session.ts';
import { nextSessionState } from '../state/session-state.ts';
import { actionHash, decide, type GateInput } from './gate.ts';

const base: GateInput = {
  tool: { name: 'scrivi', effect: 'write', gate: 'scrivi' },
  action: { tipo: 'scrivi', percorso: 'src/a.ts' },
  level: 'Workspace write',
  mode: 'normal',
  toolPermissions: null,
  isControlFile: false,
  grants: [],
};

describe('the permission gate', () => {
  test('decides every level × tool choice of a write as pinned here', () => {
    const choices: (ToolPermission | undefined)[] = [undefined, 'always', 'ask', 'deny'];
    const table = Object.fromEntries(
      PERMISSION_LEVELS.map((level) => [
        level,
        choices.map(
          (choice) => decide({ ...base, level, toolPermissions: choice ? { scrivi: choice } : null }).verdict,
        ),
      ]),
    );
    expect(table).toEqual({
      'Read only': ['deny', 'allow', 'ask', 'deny'],
      'Workspace write': ['allow', 'allow', 'ask', 'deny'],
      'On request': ['ask', 'allow', 'ask', 'deny'],
      'Full access': ['allow', 'allow', 'ask', 'deny'],
    });
  });

  test.each(['read', 'network', 'record', 'control'] as const)('never asks for %s', (effect) => {
    const tool = { name: 'leggi', effect, gate: null };
    for (const level of PERMISSION_LEVELS) expect(decide({ ...base, tool, level }).verdict).toBe('allow');
  });

  test.each(['write', 'process', 'record', 'control'] as const)('denies %s in a research session', (effect) => {
    const tool = { name: 'notes_create', effect, gate: null };
    expect(decide({ ...base, tool, level: 'Research' })).toEqual({ verdict: 'deny', because: 'level' });
  });

  test.each(['read', 'network', 'dialogue'] as const)('allows %s in a research session', (effect) => {
    const tool = { name: 'leggi', effect, gate: null };
    expect(decide({ ...base, tool, level: 'Research' }).verdict).toBe('allow');
  });

  test('asks before a command that sends something out at Workspace write', () => {
    const command = { tool: { name: 'shell', effect: 'process', gate: 'shell' }, isSending: true } as const;
    const at = (level: (typeof PERMISSION_LEVELS)[number], more: Partial<GateInput> = {}) =>
      decide({ ...base, ...command, level, ...more }).verdict;
    expect(PERMISSION_LEVELS.map((level) => [level, at(level)])).toEqual([
      ['Read only', 'deny'],
      ['Workspace write', 'ask'],
      ['On request', 'ask'],
      ['Full access', 'allow'],
    ]);
    expect(at('Workspace write', { rule: 'allow' })).toBe('allow');
    expect(at('Workspace write', { toolPermissions: { shell: 'always' } })).toBe('allow');
    expect(at('Workspace write', { isSending: false })).toBe('allow');
  });

  test('follows the network policy at every level, and denies instead of asking in an automation run', () => {
    const tool = { name: 'naviga', effect: 'network', gate: null } as const;
    const ask = { verdict: 'ask', host: '*.example.org', port: 443 } as const;
    for (const level of [...PERMISSION_LEVELS, 'Research'] as const) {
      expect(decide({ ...base, tool, level, reach: ask })).toEqual({ verdict: 'ask', because: 'network' });
      expect(decide({ ...base, tool, level, reach: ask, isUnattended: true })).toEqual({
        verdict: 'deny',
        because: 'network',
      });
      expect(decide({ ...base, tool, level, reach: { verdict: 'allow' } }).verdict).toBe('allow');
      for (const because of ['network-off', 'rule', 'tool'] as const) {
        expect(decide({ ...base, tool, level, rule: 'allow', reach: { verdict: 'deny', because } })).toEqual({
          verdict: 'deny',
          because,
        });
      }
    }
  });

  test('asks before every command under Workspace write where there is no sandbox', () => {
    const command = { tool: { name: 'shell', effect: 'process', gate: 'shell' }, isSandboxed: false } as const;
    expect(decide({ ...base, ...command, level: 'Workspace write' })).toEqual({ verdict: 'ask', because: 'level' });
    expect(decide({ ...base, ...command, level: 'Full access' }).verdict).toBe('allow');
    expect(decide({ ...base, ...command, level: 'Workspace write', rule: 'allow' }).verdict).toBe('allow');
    expect(decide({ ...base, isSandboxed: false, level: 'Workspace write' }).verdict).toBe('allow');
  });

  test('never asks before a harmless tool by its level, and forbids it where its effect is forbidden', () => {
    const tool = { name: 'mcp__notes__find', effect: 'process', gate: null } as const;
    const harmless = { ...tool, isHarmless: true } as const;
    const verdicts = (one: GateInput['tool'], more: Partial<GateInput> = {}) =>
      PERMISSION_LEVELS.map((level) => decide({ ...base, tool: one, level, isSandboxed: false, ...more }).verdict);
    expect(verdicts(tool)).toEqual(['deny', 'ask', 'ask', 'allow']);
    expect(verdicts(harmless)).toEqual(['deny', 'allow', 'allow', 'allow']);
    expect(verdicts(harmless, { rule: 'ask' })).toEqual(['deny', 'ask', 'ask', 'ask']);
    expect(verdicts(harmless, { rule: 'deny' })).toEqual(['deny', 'deny', 'deny', 'deny']);
    expect(verdicts(harmless, { mode: 'plan' })).toEqual(['deny', 'deny', 'deny', 'deny']);
  });

  test('follows the answer of the user about an MCP server at every level that runs its tools', () => {
    const tool = { name: 'mcp__notes__add', effect: 'process', gate: null } as const;
    const verdicts = (more: Partial<GateInput>) =>
      PERMISSION_LEVELS.map((level) => decide({ ...base, tool, level, ...more }).verdict);
    expect(PERMISSION_LEVELS).toEqual(['Read only', 'Workspace write', 'On request', 'Full access']);
    expect(verdicts({ leave: 'allow' })).toEqual(['deny', 'allow', 'ask', 'allow']);
    expect(verdicts({ leave: 'allow', isSandboxed: false })).toEqual(['deny', 'allow', 'ask', 'allow']);
    expect(verdicts({ leave: 'ask' })).toEqual(['deny', 'ask', 'ask', 'ask']);
    expect(verdicts({ leave: 'ask-tool' })).toEqual(['deny', 'ask', 'ask', 'ask']);
    expect(verdicts({ leave: 'ask-server' })).toEqual(['deny', 'ask', 'ask', 'allow']);
    expect(decide({ ...base, tool, leave: 'ask-server' })).toEqual({ verdict: 'ask', because: 'server' });
    // Nobody could answer about a server that was trusted before there was a question.
    expect(verdicts({ leave: 'ask-server', isUnattended: true })).toEqual(['deny', 'allow', 'ask', 'allow']);
    expect(verdicts({ leave: 'ask', isUnattended: true })).toEqual(['deny', 'ask', 'ask', 'ask']);
    // Rules and marks win over the answer.
    for (const leave of ['ask', 'ask-tool', 'ask-server'] as const) {
      expect(verdicts({ leave, rule: 'allow' })).toEqual(['deny', 'allow', 'allow', 'allow']);
      expect(verdicts({ leave, tool: { ...tool, isHarmless: true } })).toEqual(['deny', 'allow', 'allow', 'allow']);
    }
    expect(verdicts({ leave: 'allow', rule: 'ask' })).toEqual(['deny', 'ask', 'ask', 'ask']);
    expect(verdicts({ leave: 'allow', rule: 'deny' })).toEqual(['deny', 'deny', 'deny', 'deny']);
    expect(verdicts({ leave: 'allow', mode: 'plan' })).toEqual(['deny', 'deny', 'deny', 'deny']);
  });

  test('denies edits and commands under Workspace write in a folder that is too wide, whatever is allowed', () => {
    const denied = { verdict: 'deny', because: 'folder-too-wide' };
    for (const effect of ['write', 'process'] as const) {
      const input = { ...base, tool: { name: 'shell', effect, gate: 'shell' }, isFolderTooWide: true } as const;
      const allowed = { toolPermissions: { shell: 'always' }, rule: 'allow' } as const;
      expect(decide({ ...input, ...allowed, level: 'Workspace write' })).toEqual(denied);
      expect(decide({ ...input, level: 'On request' })).toEqual({ verdict: 'ask', because: 'level' });
      expect(decide({ ...input, level: 'Full access' })).toEqual({ verdict: 'allow' });
    }
    const reading = { ...base, tool: { name: 'leggi', effect: 'read', gate: null }, isFolderTooWide: true } as const;
    expect(decide({ ...reading, level: 'Workspace write' })).toEqual({ verdict: 'allow' });
  });

  test('refuses every change in plan mode, whatever the level', () => {
    for (const level of PERMISSION_LEVELS) expect(decide({ ...base, level, mode: 'plan' }).verdict).toBe('deny');
  });

  test('a deny rule wins over everything', () => {
    const open = { rule: 'deny', level: 'Full access', toolPermissions: { scrivi: 'always' } } as const;
    const grants = [{ tool: 'scrivi', scope: 'path', path: 'src/a.ts' }] as const;
    expect(decide({ ...base, ...open, grants })).toEqual({ verdict: 'deny', because: 'rule' });
    const tool = { name: 'leggi', effect: 'read', gate: null } as const;
    expect(decide({ ...base, tool, rule: 'deny' })).toEqual({ verdict: 'deny', because: 'rule' });
  });

  test('an allow rule replaces the tool’s choice but not mandatory questions or prohibitions', () => {
    const rule = 'allow' as const;
    expect(decide({ ...base, rule, level: 'On request' }).verdict).toBe('allow');
    expect(decide({ ...base, rule, toolPermissions: { scrivi: 'ask' } }).verdict).toBe('allow');
    expect(decide({ ...base, rule, toolPermissions: { scrivi: 'deny' } }).verdict).toBe('deny');
    expect(decide({ ...base, rule, mode: 'plan' }).verdict).toBe('deny');
    expect(decide({ ...base, rule, level: 'Read only' }).verdict).toBe('deny');
    expect(decide({ ...base, rule, level: 'Research' }).verdict).toBe('deny');
    expect(decide({ ...base, rule, isControlFile: true })).toEqual({ verdict: 'ask', because: 'control-file' });
  });

  test('an ask rule applies until this exact path was approved', () => {
    const rule = 'ask' as const;
    const tool = { name: 'leggi', effect: 'read', gate: null } as const;
    expect(decide({ ...base, tool, rule })).toEqual({ verdict: 'ask', because: 'rule' });
    const open = { level: 'Full access', toolPermissions: { scrivi: 'always' } } as const;
    expect(decide({ ...base, ...open, rule })).toEqual({ verdict: 'ask', because: 'rule' });
    const grants = [{ tool: 'scrivi', scope: 'path', path: 'src/a.ts' }] as const;
    expect(decide({ ...base, rule, grants }).verdict).toBe('allow');
    expect(decide({ ...base, rule, grants: [{ ...grants[0], path: 'src/b.ts' }] }).verdict).toBe('ask');
  });

  test('asks for control files even at full access and for always allowed tools', () => {
    const level = 'Full access';
    expect(decide({ ...base, level, isControlFile: true })).toEqual({ verdict: 'ask', because: 'control-file' });
    const toolPermissions = { scrivi: 'always' } as const;
    expect(decide({ ...base, level, isControlFile: true, toolPermissions }).verdict).toBe('ask');
  });

  test('a grant covers its folder and no sibling with the same prefix', () => {
    const grants = grantsFor(base.action, 'folder');
    const verdict = (percorso: string, tipo = 'scrivi') =>
      decide({ ...base, level: 'On request', grants, tool: { ...base.tool, name: tipo }, action: { tipo, percorso } })
        .verdict;
    expect(verdict('src/b.ts')).toBe('allow');
    expect(verdict('src/deep/c.ts')).toBe('allow');
    expect(verdict('src2/b.ts')).toBe('ask');
    expect(verdict('src/b.ts', 'file_edit')).toBe('ask');
  });

  test('a grant for a folder never covers a path outside the session folder', () => {
    const verdict = (granted: string, percorso: string) => {
      const grants = grantsFor({ tipo: 'scrivi', percorso: granted }, 'folder');
      const toolPermissions = { scrivi: 'ask' } as const;
      const action = { tipo: 'scrivi', percorso };
      return decide({ ...base, level: 'Full access', toolPermissions, grants, action }).verdict;
    };
    for (const outside of ['/etc/x', '../x', '../../x', 'C:/x', '\\\\host\\x']) {
      expect([outside, verdict('a.txt', outside)]).toEqual([outside, 'ask']);
      expect([outside, verdict('src/a.txt', outside)]).toEqual([outside, 'ask']);
      expect([outside, verdict(outside, 'a.txt')]).toEqual([outside, 'ask']);
    }
    expect(verdict('../x', '../../secret')).toBe('ask');
    expect(verdict('a.txt', 'b.txt')).toBe('allow');
  });

  test('an approval is bound to every property of the call', () => {
    expect(actionHash({ tipo: 'shell', comando: 'ls' })).not.toBe(actionHash({ tipo: 'shell', comando: 'ls ' }));
  });
});

describe('session states', () => {
  test('allow the listed transitions and reject the rest with SESSION_NOT_READY', () => {
    const states = ['running', 'concluded', 'interrupted'] as const;
    const commands = ['start-turn', 'end-turn', 'lose-process', 'retry-turn'] as const;
    const attempt = (state: (typeof states)[number], command: (typeof commands)[number]): string => {
      try {
        return nextSessionState(state, command);
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    const matrix = states.map((state) => [state, ...commands.map((command) => attempt(state, command))]);
    expect(matrix).toEqual([
      ['running', 'SESSION_NOT_READY', 'concluded', 'interrupted', 'SESSION_NOT_READY'],
      ['concluded', 'running', 'SESSION_NOT_READY', 'SESSION_NOT_READY', 'SESSION_NOT_READY'],
      ['interrupted', 'running', 'SESSION_NOT_READY', 'SESSION_NOT_READY', 'running'],
    ]);
  });
});

describe('changing settings', () => {
  const settings: SessionSettings = {
    model: 'a/b',
    plannerModel: null,
    reasoning: null,
    permissions: 'On request',
    toolPermissions: { shell: 'deny', scrivi: 'ask' },
    mode: 'normal',
    fallbackProviders: [],
    language: null,
  };

  test('a merge keeps omitted tools, and denied ones on request', () => {
    const patch = { mergedToolPermissions: { shell: 'always', prova: 'always' }, keepsDenied: true } as const;
    const { settings: next, notMerged } = changeSettings(settings, patch);
    expect(next.toolPermissions).toEqual({ shell: 'deny', scrivi: 'ask', prova: 'always' });
    expect(notMerged).toEqual(['shell']);
  });

  test('a full map replaces the previous one', () => {
    expect(changeSettings(settings, { toolPermissions: { prova: 'ask' } }).settings.toolPermissions).toEqual({
      prova: 'ask',
    });
  });

  test('a full map with a merge, or keepsDenied without a merge, is QUERY_INVALID', () => {
    expect(() => changeSettings(settings, { toolPermissions: {}, mergedToolPermissions: {} })).toThrow(/QUERY_INVALID/);
    expect(() => changeSettings(settings, { keepsDenied: true })).toThrow(/QUERY_INVALID/);
  });
});
