import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createOutboundHttp, type OutboundHttp, systemAmbient, tryLock } from '@fucina/shared';
import { createHubServer, type HubRepositoryGiven, type HubServer, redirectOrigins, tinyModel } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunOptions, type TestComputer, testComputer } from './harness.ts';

const MODEL = tinyModel();
const REPOSITORIES: Record<string, HubRepositoryGiven> = {
  'maker/tiny': { downloads: 7, license: 'apache-2.0', files: { 'tiny-Q4_K_M.gguf': MODEL, 'tiny-Q8_0.gguf': MODEL } },
  'maker/odd': { files: { 'one-Q5_0.gguf': MODEL, 'one-Q6_K.gguf': MODEL, 'half-00001-of-00002.gguf': MODEL } },
  'maker/closed': { gated: 'manual', files: { 'tiny.gguf': MODEL } },
  'maker/empty': { files: { 'readme.txt': Buffer.from('x') } },
};

let hub: HubServer;
let out: OutboundHttp;
let http: OutboundHttp;
beforeAll(async () => {
  hub = await createHubServer(REPOSITORIES);
  out = createOutboundHttp({ ambient: systemAmbient('silent') });
  http = redirectOrigins(out, hub.origins);
});
afterAll(async () => {
  await out[Symbol.asyncDispose]();
  await hub[Symbol.asyncDispose]();
});

const local = (computer: TestComputer, args: readonly string[], options: RunOptions = {}) =>
  computer.run(['local', ...args], { http, ...options });
const states = async (computer: TestComputer): Promise<[string, string][]> => {
  const { models } = JSON.parse((await local(computer, ['list', '--json'])).stdout);
  return models.map(({ id, state }: { id: string; state: string }) => [id, state]);
};

describe('local search', () => {
  test('lists models with size, license and downloads', async () => {
    await using computer = await testComputer([]);
    const { stdout } = await local(computer, ['search']);
    expect(stdout).toMatch(/maker\/tiny\s+7 downloads\s+apache-2\.0/);
    expect(stdout).toMatch(/maker\/closed.*gated/);
    const { models } = JSON.parse((await local(computer, ['search', 'tiny', '--json'])).stdout);
    expect(models).toMatchObject([{ repo: 'maker/tiny' }]);
    expect((await local(computer, ['search', 'nowhere'])).stdout).toBe('Model not found.\n');
  });
});

describe('local pull', () => {
  test('downloads and verifies the most common quantization, ready for a session', async () => {
    await using computer = await testComputer([]);
    const { exit, stdout, stderr } = await local(computer, ['pull', 'maker/tiny']);
    expect([exit, stdout]).toEqual([0, 'Downloaded and verified. Use it with --model local:maker.tiny-q4_k_m\n']);
    expect(stderr).toContain('license apache-2.0');
    expect(await states(computer)).toEqual([['maker.tiny-q4_k_m', 'ready']]);
    expect((await local(computer, ['pull', 'maker/tiny'])).exit).toBe(0);
    expect(JSON.parse((await local(computer, ['pull', 'maker/tiny', 'q8_0', '--json'])).stdout)).toMatchObject({
      id: 'maker.tiny-q8_0',
      state: 'ready',
    });
  });

  test.each([
    ['maker/odd', [], 'one-Q5_0'],
    ['maker/odd', ['q9'], 'one-Q6_K'],
    ['maker/empty', [], 'no complete GGUF file'],
    ['maker/closed', [], 'grants access on request'],
  ])('for %s %j lists the available files and downloads nothing', async (repo, rest, words) => {
    await using computer = await testComputer([]);
    const { exit, stdout, stderr } = await local(computer, ['pull', repo, ...rest]);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(words);
    expect(stderr).not.toContain('half');
    expect(await states(computer)).toEqual([]);
  });

  test('a missing repository has the error code of the API', async () => {
    await using computer = await testComputer([]);
    expect(await local(computer, ['pull', 'maker/nothing'])).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('[HUB_'),
    });
  });

  test('pauses at Ctrl+C and resumes with the same command', async () => {
    await using computer = await testComputer([]);
    let isHeld = false;
    hub.intercept(({ to }, response) => {
      if (to !== 'files') return false;
      response.writeHead(200, { 'content-length': MODEL.length });
      response.write(MODEL.subarray(0, 100));
      isHeld = true;
      return true;
    });
    const pulling = local(computer, ['pull', 'maker/tiny'], {
      answers: [],
      // Checked at every change: the bar is drawn again when the first bytes arrive.
      watch: ({ stderr }, interrupt) => void (isHeld && stderr.includes('%') && interrupt()),
    });
    const { exit, stderr } = await pulling;
    hub.intercept(undefined);
    expect(exit).toBe(130);
    expect(stderr).toContain('Download paused');
    expect((await local(computer, ['pull', 'maker/tiny'])).exit).toBe(0);
    expect(await states(computer)).toEqual([['maker.tiny-q4_k_m', 'ready']]);
  });

  test('refuses a second download at the same time', async () => {
    await using computer = await testComputer([]);
    mkdirSync(join(computer.dataDir, 'locks'), { recursive: true });
    const lock = tryLock(join(computer.dataDir, 'locks', 'process-download-maker.tiny-q4_k_m'));
    expect(await local(computer, ['pull', 'maker/tiny'])).toMatchObject({ exit: 75 });
    lock?.release();
    expect((await local(computer, ['pull', 'maker/tiny'])).exit).toBe(0);
  });
});

test('rejects an invalid number', async () => {
  await using computer = await testComputer([]);
  for (const context of ['abc', '0', '1.5', '99999999999'])
    expect((await local(computer, ['fit', 'any', '--context', context])).exit).toBe(2);
});
