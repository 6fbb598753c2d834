import type { Tool, ToolAction } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { testSessions } from '../../test/harness.ts';
import { call } from '../testing.ts';

/** Stands for a write of each path that ends in `new`, and for an edit of each other one. */
function patchTool(ran: string[][]): Tool<{ paths: string[] }> {
  return {
    name: 'apply_patch',
    description: 'patches',
    category: 'extended',
    effect: 'write',
    gate: 'file_edit',
    input: z.object({ paths: z.array(z.string()) }),
    action: ({ paths }) => ({
      tipo: 'apply_patch',
      parti: paths.map((percorso) => ({ tipo: percorso.endsWith('new') ? 'scrivi' : 'file_edit', percorso })),
    }),
    parts: ({ parti }) => parti as ToolAction[],
    async run({ paths }) {
      ran.push(paths);
      return { content: 'patched' };
    },
  };
}

async function patching(paths: readonly string[][], settings: object) {
  const ran: string[][] = [];
  const answers = paths.map((one, at) => ({ events: call(`c${at}`, 'apply_patch', { paths: one }) }));
  const setup = await testSessions(answers, { tools: [patchTool(ran)] });
  return { setup, ran, id: await setup.start(settings) };
}

describe('a call that stands for several', () => {
  test.each([
    ['one of them is turned off', { toolPermissions: { scrivi: 'deny' }, permissions: 'Full access' }, ['a', 'b.new']],
    ['the level is read only', { permissions: 'Read only' }, ['a']],
  ])('is denied as a whole when %s', async (_what, settings, paths) => {
    const { setup, ran, id } = await patching([paths], settings);
    await setup.sessions.turns.settled(id);
    expect(ran).toEqual([]);
    await setup[Symbol.asyncDispose]();
  });

  test.each([
    ['one of them asks by its own setting', { toolPermissions: { scrivi: 'ask' }, permissions: 'Full access' }],
    ['one of them is a control file', { permissions: 'Full access' }],
  ])('asks once and shows all of it when %s', async (_what, settings) => {
    const { setup, ran, id } = await patching([['a', '.git/b.new']], settings);
    const card = (await setup.seen(id, 'ApprovalRequested')) as unknown as { requestId: string; azione: ToolAction };
    expect(card.azione).toMatchObject({ tipo: 'apply_patch', parti: [{ percorso: 'a' }, { percorso: '.git/b.new' }] });
    expect(ran).toEqual([]);
    await setup.sessions.requests.approve(id, { requestId: card.requestId, isApproved: true });
    await setup.sessions.turns.settled(id);
    expect(ran).toEqual([['a', '.git/b.new']]);
    await setup[Symbol.asyncDispose]();
  });

  test('runs without a question where all of them may', async () => {
    const { setup, ran, id } = await patching([['a', 'b.new']], { permissions: 'Workspace write' });
    await setup.sessions.turns.settled(id);
    expect(ran).toEqual([['a', 'b.new']]);
    await setup[Symbol.asyncDispose]();
  });

  test('is allowed for the session path by path', async () => {
    const { setup, ran, id } = await patching([['a', 'b.new'], ['a'], ['b']], { permissions: 'On request' });
    const { requestId } = (await setup.seen(id, 'ApprovalRequested')) as { requestId: string };
    await setup.sessions.requests.approve(id, { requestId, isApproved: true, scope: 'path' });
    const cards = async () => (await setup.events(id)).filter(({ type }) => type === 'ApprovalRequested').length;
    for await (const item of setup.sessions.follow(id, 0, new AbortController().signal)) {
      if (item.kind === 'events' && (await cards()) === 2) break;
    }
    expect(ran).toEqual([['a', 'b.new'], ['a']]);
    await setup.sessions.turns.stop(id);
    await setup.sessions.turns.settled(id);
    await setup[Symbol.asyncDispose]();
  });
});
