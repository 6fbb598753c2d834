import { expect, test } from '@jest/globals';
import { shellTool, testSessions } from '../../test/harness.ts';
import { call, say } from '../testing.ts';

const shell = shellTool('make', async () => ({
  content: 'Exit code 2.',
  isError: true,
  hiddenReads: ['/home/u/.config/one', '/home/u/.config/two'],
}));

test('asks once for a hidden path and allows it for the session', async () => {
  const answers = [{ events: call('c1', 'shell', {}) }, { events: call('c2', 'shell', {}) }, { events: say('done') }];
  await using setup = await testSessions(answers, { tools: [shell] });
  const id = await setup.start({ permissions: 'Full access' });
  const cards = async () =>
    (await setup.events(id)).flatMap((event) => (event.type === 'ApprovalRequested' ? [event] : []));
  for (const [index, isApproved] of [true, false].entries()) {
    while ((await cards()).length <= index) await new Promise((resolve) => setTimeout(resolve, 5));
    await setup.sessions.requests.approve(id, { requestId: (await cards())[index]?.requestId ?? '', isApproved });
  }
  await setup.sessions.turns.settled(id);
  expect((await cards()).map(({ azione }) => azione)).toEqual([
    { tipo: 'lettura', percorso: '/home/u/.config/one', comando: 'make' },
    { tipo: 'lettura', percorso: '/home/u/.config/two', comando: 'make' },
  ]);
  const results = (await setup.events(id)).flatMap((event) => (event.type === 'ToolCallResult' ? [event.content] : []));
  expect(results).toEqual([
    [
      'Exit code 2.',
      'The user now lets commands of this session read /home/u/.config/one. Run the command again if it needs it.',
      'The user did not allow commands to read /home/u/.config/two.',
    ].join('\n'),
    'Exit code 2.',
  ]);
  expect(setup.sessions.requests.grantedReads(id)).toEqual(['/home/u/.config/one']);
  expect(setup.sessions.requests.grantedReads('nobody')).toEqual([]);
});
