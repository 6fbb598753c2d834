import type { WriteReach } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { changeFilesTool, turnThatChanges } from '../../test/change-files.ts';
import { testSessions } from '../../test/harness.ts';
import { call, say } from '../testing.ts';

describe('a turn', () => {
  test('prepares commands once, while the model streams its first tool call', async () => {
    let times = 0;
    let write = (): void => undefined;
    const hold = new Promise<void>((resolve) => (write = resolve));
    const prepared = (): void => {
      times += 1;
      write();
    };
    // Without it the model would never end its call.
    const answers = [
      { events: call('c1', 'leggi', {}), hold },
      { events: call('c2', 'leggi', {}) },
      { events: say('read') },
    ];
    await using setup = await testSessions(answers, { onPrepare: prepared });
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    expect(times).toBe(1);
  });

  test.each([
    ['Full access', ['anything'], 0],
    ['Workspace write', ['folder'], 1],
  ] as const)(
    'a command at %s prepares for %s, and the gate asks for the sandbox %s times',
    async (level, prepared, asked) => {
      const reaches: WriteReach[] = [];
      let times = 0;
      await using setup = await testSessions(turnThatChanges('c1', {}), {
        tools: [changeFilesTool],
        onPrepare: (writes) => reaches.push(writes),
        onSandboxState: () => (times += 1),
      });
      const id = await setup.start({ permissions: level });
      await setup.sessions.turns.settled(id);
      expect(reaches).toEqual(prepared);
      expect(times).toBe(asked);
    },
  );

  test('prepares no commands in a text turn', async () => {
    let times = 0;
    await using setup = await testSessions([{ events: say('hello') }], { onPrepare: () => (times += 1) });
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    expect(times).toBe(0);
  });
});
