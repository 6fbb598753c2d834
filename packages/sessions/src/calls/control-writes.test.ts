import type { Tool } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { shellTool, testSessions } from '../../test/harness.ts';
import { call, say } from '../testing.ts';
import { withControlWrites } from './control-writes.ts';

const written: string[] = [];

const shell = shellTool('make', async () => ({
  content: 'Exit code 0.',
  controlWrites: [
    { path: '.git/config', content: '{}' },
    { path: '.git/hooks/pre-commit', content: 'x' },
    { path: '.git/modules', content: null },
  ],
}));

const write: Tool<{ percorso: string; contenuto: string }> = {
  name: 'scrivi',
  description: 'writes',
  category: 'base',
  effect: 'write',
  gate: 'scrivi',
  input: z.object({ percorso: z.string(), contenuto: z.string() }),
  action: ({ percorso, contenuto }) => ({ tipo: 'scrivi', percorso, contenuto }),
  async run({ percorso, contenuto }) {
    written.push(percorso);
    return { content: 'Created.', changes: [{ path: percorso, before: null, after: contenuto }] };
  },
};

test('a control file that a command made is asked for, and written only where the user allows it', async () => {
  await using setup = await testSessions([{ events: call('c1', 'shell', {}) }, { events: say('done') }], {
    tools: [shell, write as Tool],
  });
  const id = await setup.start({ permissions: 'Full access' });
  const cards = async () =>
    (await setup.events(id)).flatMap((event) => (event.type === 'ApprovalRequested' ? [event] : []));
  for (const [index, isApproved] of [true, false].entries()) {
    while ((await cards()).length <= index) await new Promise((resolve) => setTimeout(resolve, 5));
    const requestId = (await cards())[index]?.requestId ?? '';
    await setup.sessions.requests.approve(id, { requestId, isApproved });
  }
  await setup.sessions.turns.settled(id);
  const events = await setup.events(id);
  expect((await cards()).map(({ azione }) => azione)).toEqual([
    { tipo: 'scrivi', percorso: '.git/config', contenuto: '{}', motivo: 'file-di-controllo' },
    { tipo: 'scrivi', percorso: '.git/hooks/pre-commit', contenuto: 'x', motivo: 'file-di-controllo' },
  ]);
  expect(written).toEqual(['.git/config']);
  const result = events.find(({ type }) => type === 'ToolCallResult') as { content: string };
  expect(result.content.split('\n')).toEqual([
    'Exit code 0.',
    'The command made .git/config, a file that other programs run or obey. The user allowed it.',
    'The command made .git/hooks/pre-commit, a file that other programs run or obey. It was removed: the user did not allow it.',
    'The command made .git/modules, a file that other programs run or obey. It was removed: it is a link, too large or not text.',
  ]);
});

test('of a file that stays, the result says that its settings were removed', async () => {
  const stripped = { path: 'new/.git/config', content: '[core]', isStripped: true };
  const result = { content: 'Exit code 0.', controlWrites: [stripped, { path: '.envrc', content: 'x' }] };
  const told = async (isError: boolean) =>
    (await withControlWrites(result, async () => ({ content: '', isError }))).content.split('\n').slice(1);
  expect(await told(true)).toEqual([
    'The command made new/.git/config, a file that other programs run or obey. The settings that start a program were removed: the user did not allow them.',
    'The command made .envrc, a file that other programs run or obey. It was removed: the user did not allow it.',
  ]);
  expect((await told(false))[0]).toContain('The user allowed it.');
});
