import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Script } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { type TestComputer, testComputer } from './harness.ts';
import { type Inside, inside } from './workbench.ts';

const answer = () => ({ text: 'Understood.' });

describe('/rewind', () => {
  const writes: Script = ({ lastRole, lastText }) => {
    const [, percorso] = /^write (\S+)/.exec(lastText) ?? [];
    return lastRole === 'user' && percorso
      ? { toolCalls: [{ name: 'scrivi', arguments: { percorso, contenuto: 'new\n' } }] }
      : answer();
  };
  const started = async (computer: TestComputer): Promise<[Inside, string | undefined]> => {
    const one = await inside(computer);
    for (const text of ['hello', 'write a.txt', 'write b.txt']) {
      await one.type(text);
      await one.rests();
    }
    await one.type('/rewind');
    expect((await one.picked.at(-1)?.rows)?.map(({ label }) => label)).toEqual(['write b.txt', 'write a.txt', 'hello']);
    return [one, one.conversation.sessionId()];
  };
  const hasFile = (computer: TestComputer, name: string) => existsSync(join(computer.project.path, name));

  test('goes back to before a message in a branch, with its text in the composer', async () => {
    await using computer = await testComputer(writes);
    const [opened, id] = await started(computer);
    await using one = opened;
    await one.choose('write a.txt');
    await one.choose('Conversation');
    expect([one.restored, hasFile(computer, 'a.txt')]).toEqual([['write a.txt'], true]);
    expect(one.conversation.sessionId()).not.toBe(id);
    await one.type('something else');
    await one.rests();
    const asked = JSON.stringify(computer.model.requests.at(-1)?.body);
    expect(asked).toContain('hello');
    expect(asked).not.toContain('write a.txt');
  });

  test('restores the files too, or only the files', async () => {
    await using computer = await testComputer(writes);
    const [opened, id] = await started(computer);
    await using one = opened;
    await one.choose('write b.txt');
    await one.choose('Files');
    expect([hasFile(computer, 'a.txt'), hasFile(computer, 'b.txt')]).toEqual([true, false]);
    expect([one.conversation.sessionId(), one.restored]).toEqual([id, []]);
    await one.type('/rewind');
    await one.choose('hello');
    await one.choose('Conversation and files');
    expect([hasFile(computer, 'a.txt'), one.conversation.sessionId(), one.restored]).toEqual([
      false,
      undefined,
      ['hello'],
    ]);
  });

  test('names files that were changed since and left alone', async () => {
    await using computer = await testComputer(writes);
    const [opened] = await started(computer);
    await using one = opened;
    await computer.project.write({ 'b.txt': 'of the user' });
    await one.choose('write b.txt');
    await one.choose('Conversation and files');
    expect(one.reported).toEqual(['warning: Not restored: b.txt']);
    expect(one.restored).toEqual(['write b.txt']);
  });

  test('reports that there is no conversation yet', async () => {
    await using computer = await testComputer(answer);
    await using one = await inside(computer);
    await one.type('/rewind');
    expect(one.reported).toEqual([`info: ${one.workbench.terminal.say('no-conversation')}`]);
  });
});
