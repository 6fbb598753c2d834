import { join } from 'node:path';
import type { SideModel } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import { fixture, program, toolNamed } from '../../test/mcp-fixture.ts';

const OFFERING = join(import.meta.dirname, '../../test/offering-server.mjs');

interface Asked {
  requestId: string;
  messaggio: string;
  modo: string;
  modello: string;
  massimoToken: number;
}

/** A user's server, and a model that answers with its question. */
async function place(server: string, more: Partial<SideModel> = {}) {
  const local = await fixture();
  const definition = { command: 'node', args: [server], environment: {}, headers: {} };
  await local.mcp.servers.add({ scope: 'everywhere', folder: null, id: 'all', definition, secrets: {} });
  const questions: Parameters<SideModel['ask']>[0][] = [];
  const sideModel: SideModel = {
    name: () => 'test/model',
    async ask(question) {
      questions.push(question);
      return { model: 'test/model', text: 'the answer STOP and more', isCut: false };
    },
    ...more,
  };
  const tools = await local.tools();
  return {
    ...local,
    questions,
    call: (name: string, input: object) =>
      local.call(toolNamed(tools, `mcp__all__${name}`), input, undefined, { sideModel }),
    callWithoutUser: (name: string, input: object) => local.call(toolNamed(tools, `mcp__all__${name}`), input),
    async asked(): Promise<Asked> {
      for (;;) {
        const [waiting] = local.mcp.waiting('s1');
        const value = (local.events.at(-1) as { value?: Asked } | undefined)?.value;
        if (waiting && value?.requestId === waiting.requestId) return value;
        await new Promise((done) => setTimeout(done, 10));
      }
    },
    answer: ({ requestId }: Asked, action: 'accept' | 'decline' | 'cancel') =>
      local.mcp.answer('s1', requestId, { action, ...(action === 'accept' && { content: {} }) }),
  };
}

describe('a request of an MCP server to the model', () => {
  test('is shown in full, and answered by the model once the user allows it', async () => {
    await using at = await place(program('server-everything'));
    const calling = at.call('trigger-sampling-request', { prompt: 'What is a forge?', maxTokens: 50 });
    const asked = await at.asked();
    expect(asked).toMatchObject({ modo: 'modello', modello: 'test/model', massimoToken: 50 });
    expect(asked.messaggio).toContain('system: You are a helpful test server.');
    expect(asked.messaggio).toContain('What is a forge?');
    expect(at.questions).toEqual([]);
    await at.answer(asked, 'accept');
    expect((await calling).content).toContain('the answer');
    expect(at.questions).toMatchObject([
      { system: 'You are a helpful test server.', messages: [{ role: 'user' }], maxOutputTokens: 50 },
    ]);
  });

  test('is refused with the error of the specification when the user declines, and the call ends', async () => {
    await using at = await place(program('server-everything'));
    for (const action of ['decline', 'cancel'] as const) {
      const calling = at.call('trigger-sampling-request', { prompt: 'x' });
      await at.answer(await at.asked(), action);
      expect(await calling).toMatchObject({ content: expect.stringContaining('-1'), isError: true });
    }
    expect(at.questions).toEqual([]);
  });

  test('is refused where no user is available', async () => {
    await using at = await place(program('server-everything'));
    const result = await at.callWithoutUser('trigger-sampling-request', { prompt: 'x' });
    expect(result).toMatchObject({ content: expect.stringContaining('no user is available'), isError: true });
    expect(at.mcp.waiting('s1')).toEqual([]);
  });

  test('gets images and stop sequences, and a reason for what it cannot have', async () => {
    await using at = await place(OFFERING);
    const image = { type: 'image', mimeType: 'image/png', data: Buffer.from('png').toString('base64') };
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'Look:' }, image] },
      { role: 'assistant', content: { type: 'text', text: 'A forge.' } },
      { role: 'user', content: { type: 'text', text: 'Sure?' } },
    ];
    const calling = at.call('sample', { messages, maxTokens: 1_000_000, stopSequences: [' STOP'] });
    const asked = await at.asked();
    expect(asked).toMatchObject({ massimoToken: 16_384 });
    expect(asked.messaggio).toBe('user: Look:\n(image, image/png, 3 bytes)\n\nassistant: A forge.\n\nuser: Sure?');
    await at.answer(asked, 'accept');
    expect(JSON.parse((await calling).content)).toMatchObject({
      result: { role: 'assistant', content: { text: 'the answer' }, stopReason: 'stopSequence', model: 'test/model' },
    });
    expect(at.questions[0]?.messages).toHaveLength(3);
    const audio = { type: 'audio', mimeType: 'audio/wav', data: '' };
    for (const content of [audio, { type: 'text', text: 'x'.repeat(70_000) }]) {
      const refused = await at.call('sample', { messages: [{ role: 'user', content }], maxTokens: 10 });
      expect(JSON.parse(refused.content)).toMatchObject({ error: { code: -32_602 } });
    }
  });

  test('says why the model failed', async () => {
    await using at = await place(OFFERING, { ask: () => Promise.reject(new Error('the budget is used up')) });
    const messages = [{ role: 'user', content: { type: 'text', text: 'x' } }];
    const calling = at.call('sample', { messages, maxTokens: 10 });
    await at.answer(await at.asked(), 'accept');
    expect(JSON.parse((await calling).content)).toMatchObject({ error: { message: 'the budget is used up' } });
  });
});
