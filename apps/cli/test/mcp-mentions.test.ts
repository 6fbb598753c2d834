import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createCandidates } from '../src/screen/commands/candidates.ts';
import { triggerAt } from '../src/screen/input/completion/trigger.ts';
import { testComputer } from './harness.ts';
import { inside } from './workbench.ts';

const EXTENSIONS = createRequire(join(import.meta.dirname, '../../../packages/extensions/package.json'));
const EVERYTHING = join(EXTENSIONS.resolve('@modelcontextprotocol/server-everything/package.json'), '../dist/index.js');

test('completes resources and arguments of prompts, and sends a named resource to the model', async () => {
  await using computer = await testComputer(() => ({ text: 'Read.', usage: { promptTokens: 1, completionTokens: 1 } }));
  await using one = await inside(computer);
  const { workbench } = one;
  const definition = { command: 'node', args: [EVERYTHING], environment: {}, headers: {} };
  await workbench.services.mcp.add({ id: 'all', scope: 'everywhere', definition, secrets: {} });
  const needs = { say: workbench.terminal.say, workbench: Promise.resolve(workbench), isOpen: () => true };
  const texts = async (typed: string): Promise<string[]> => {
    const trigger = triggerAt(typed, typed.length);
    return trigger ? (await createCandidates(needs)(trigger)).map(({ text }) => text) : [];
  };
  expect(await texts('see @al')).toContain('@all:');
  const resource = '@all:demo://resource/dynamic/text/7';
  expect(await texts(`see ${resource}`)).toContain(`${resource} `);
  expect(await texts('/mcp__all__completable-prompt Ma')).toEqual(['Marketing ']);
  expect(await texts('/mcp__all__completable-prompt Sales E')).toEqual(['Sales Eve ']);
  await one.type(`Sum up ${resource}`);
  await one.rests();
  expect(JSON.stringify(computer.model.requests.at(-1)?.body)).toContain('Resource 7: This is a plaintext resource');
});
