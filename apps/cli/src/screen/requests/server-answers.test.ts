import { expect, test } from '@jest/globals';
import { requestFixture } from '../../../test/request-fixture.ts';
import type { AskedAction } from '../../asked-action.ts';
import type { OpenRequest } from '../workbench.ts';
import { serverAnswerOf } from './approval-panel.ts';

const approval = (action: AskedAction): OpenRequest => ({
  kind: 'approval',
  requestId: 'r',
  action,
  folder: '/work',
  before: undefined,
});

test('an approval card asks once about an MCP server, and about a tool of it where each tool asks', async () => {
  const action = { kind: 'mcp__notes__add', server: 'notes', tool: 'add', asks: 'server' };
  const about = await requestFixture(approval(action));
  expect(about.screen()).toContain('1 Yes, once; ask at every call');
  expect(about.screen()).toContain('2 Yes, always this tool');
  expect(about.screen()).toContain('3 Yes, always all tools of notes');
  expect(about.screen()).not.toContain('chiede');
  about.press('3');
  expect(about.answers).toEqual([{ kind: 'approval', choice: 'always' }]);
  expect(['once', 'session', 'always', 'deny-once'].map((choice) => serverAnswerOf(action, choice as 'once'))).toEqual([
    'each',
    'tool',
    'server',
    undefined,
  ]);
  const tool = { ...action, asks: 'tool' };
  const { screen } = await requestFixture(approval(tool));
  expect(screen()).toContain('1 Yes, once ');
  expect(screen()).toContain('2 Yes, always this tool');
  expect(screen()).not.toContain('all tools');
  expect([serverAnswerOf(tool, 'once'), serverAnswerOf(tool, 'session')]).toEqual([undefined, 'tool']);
});
