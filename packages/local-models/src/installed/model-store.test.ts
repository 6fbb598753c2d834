import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createOutboundHttp, systemAmbient } from '@fucina/shared';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createLocalModels, type LocalModels, type LocalModelsNeeds } from '../local-models.ts';
import type { ImportRequest } from './import.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function store(more: Partial<LocalModelsNeeds> = {}): Promise<{ dir: TempDir; models: LocalModels }> {
  const dir = await tempDir();
  const models = open(dir, more);
  cleanups.push(() => dir[Symbol.asyncDispose]());
  return { dir, models };
}

function open(dir: TempDir, more: Partial<LocalModelsNeeds> = {}): LocalModels {
  const models = createLocalModels({
    ambient: systemAmbient('silent'),
    dataDir: dir.path,
    isBackground: true,
    isLoaded: () => false,
    http: createOutboundHttp({ ambient: systemAmbient('silent') }),
    ...more,
  });
  cleanups.push(() => models[Symbol.asyncDispose]());
  return models;
}

const CONTENT = Buffer.concat([Buffer.from('GGUF'), Buffer.alloc(3_000_000, 7)]);

async function* pieces(content: Uint8Array, size = 65_536): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

function request(more: Partial<ImportRequest> = {}): ImportRequest {
  return {
    id: 'tiny',
    fileName: 'tiny.gguf',
    bytes: String(CONTENT.length),
    name: undefined,
    content: pieces(CONTENT),
    ...more,
  };
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'it worked',
    (error: { code?: string }) => error.code ?? 'an error without a code',
  );
}

describe('importing a model', () => {
  test('stores the bytes unchanged and returns their details', async () => {
    const { dir, models } = await store();
    const sha256 = createHash('sha256').update(CONTENT).digest('hex');
    const made = await models.installed.import(request({ name: ' My model ', content: pieces(CONTENT, 7_919) }));
    expect(made).toMatchObject({
      id: 'tiny',
      name: 'My model',
      repo: 'local-upload',
      revision: sha256,
      files: [{ path: 'tiny.gguf', bytes: CONTENT.length, sha256 }],
      bytes: CONTENT.length,
      sha256,
      license: 'unknown',
      state: 'ready',
      path: join(dir.path, 'models/tiny/tiny.gguf'),
    });
    expect((await readFile(made.path)).equals(CONTENT)).toBe(true);
    const again = open(dir, { isInitialised: true });
    expect(await again.installed.list()).toEqual([made]);
    expect(await again.installed.find('tiny')).toEqual(made);
  });

  test.each([
    ['LOCAL_IMPORT_INVALID', 'an id that is a path', { id: '../up' }],
    ['LOCAL_IMPORT_INVALID', 'an id Windows reserves', { id: 'con' }],
    ['LOCAL_IMPORT_INVALID', 'an id that ends in a dot', { id: 'a.' }],
    ['LOCAL_IMPORT_INVALID', 'no id', { id: undefined }],
    ['LOCAL_IMPORT_INVALID', 'a capital id', { id: 'A' }],
    ['LOCAL_IMPORT_INVALID', 'a name with a folder', { fileName: 'a/b.gguf' }],
    ['LOCAL_IMPORT_INVALID', 'a name without a name', { fileName: '.gguf' }],
    ['LOCAL_IMPORT_INVALID', 'another format', { fileName: 'model.bin' }],
    ['LOCAL_IMPORT_INVALID', 'a long file name', { fileName: `${'m'.repeat(236)}.gguf` }],
    ['LOCAL_IMPORT_INVALID', 'a size in letters', { bytes: '1e3' }],
    ['LOCAL_IMPORT_INVALID', 'a size below zero', { bytes: '-1' }],
    ['LOCAL_IMPORT_INVALID', 'an empty name', { name: ' ' }],
    ['LOCAL_IMPORT_INVALID', 'a long name', { name: 'n'.repeat(161) }],
    ['LOCAL_IMPORT_EMPTY', 'a size of nothing', { bytes: '0' }],
    ['LOCAL_IMPORT_EMPTY', 'nothing at all', { content: pieces(Buffer.alloc(0)) }],
    ['LOCAL_IMPORT_TOO_LARGE', '64 GiB and a byte', { bytes: String(64 * 2 ** 30 + 1) }],
    ['LOCAL_IMPORT_SIZE_MISMATCH', 'a byte too many', { bytes: String(CONTENT.length - 1) }],
    ['LOCAL_IMPORT_SIZE_MISMATCH', 'a byte too few', { bytes: String(CONTENT.length + 1) }],
    ['LOCAL_IMPORT_NOT_GGUF', 'other bytes', { content: pieces(Buffer.alloc(CONTENT.length), 2) }],
    ['LOCAL_IMPORT_NOT_GGUF', 'three bytes', { bytes: '3', content: pieces(Buffer.from('GGU')) }],
  ] as const)('answers %s for %s and keeps nothing', async (code, _title, more) => {
    const { dir, models } = await store();
    expect(await codeOf(models.installed.import(request(more)))).toBe(code);
    expect(await models.installed.list()).toEqual([]);
    expect(await readdir(join(dir.path, 'models')).catch(() => [])).toEqual([]);
  });

  test('aborted by the client keeps nothing and frees the id', async () => {
    const { models } = await store();
    async function* cut(): AsyncGenerator<Uint8Array> {
      yield CONTENT.subarray(0, 100_000);
      throw new Error('gone');
    }
    await expect(models.installed.import(request({ content: cut() }))).rejects.toThrow('gone');
    expect((await models.installed.import(request())).state).toBe('ready');
    expect(await codeOf(models.installed.import(request()))).toBe('HUB_TRANSFER_COLLISION');
  });

  test('refuses an id that another import uses', async () => {
    const { models } = await store();
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    let begin = (): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    async function* slow(): AsyncGenerator<Uint8Array> {
      begin();
      await held;
      yield CONTENT;
    }
    const first = models.installed.import(request({ content: slow() }));
    // Its content is read only after the id is taken.
    await begun;
    expect(await codeOf(models.installed.import(request()))).toBe('HUB_TRANSFER_COLLISION');
    expect(await models.installed.list()).toEqual([]);
    go();
    expect((await first).state).toBe('ready');
  });

  test('keeps the disk reserve free', async () => {
    const { models } = await store({ freeBytes: async () => 2 ** 30 + CONTENT.length - 1 });
    await expect(models.installed.import(request())).rejects.toMatchObject({
      code: 'LOCAL_IMPORT_TOO_LARGE',
      reason: 'disk-full',
    });
  });
});

describe('an installed model', () => {
  test('can be renamed', async () => {
    const { dir, models } = await store();
    await models.installed.import(request());
    expect(await models.installed.rename('tiny', ' Small ')).toMatchObject({ id: 'tiny', name: 'Small' });
    expect(await codeOf(models.installed.rename('tiny', ' '))).toBe('QUERY_INVALID');
    expect(await codeOf(models.installed.rename('other', 'x'))).toBe('NOT_FOUND');
    expect(await open(dir).installed.find('tiny')).toMatchObject({ name: 'Small' });
  });

  test('returns its path and is deleted with its files', async () => {
    const { dir, models } = await store();
    const { path } = await models.installed.import(request());
    expect(await models.installed.placeOf('tiny')).toEqual({ id: 'tiny', path });
    expect(await models.installed.remove('tiny')).toEqual({ id: 'tiny', deleted: true });
    await expect(readFile(path)).rejects.toThrow();
    for (const act of ['placeOf', 'remove'] as const) {
      expect(await codeOf(models.installed[act]('tiny'))).toBe('NOT_FOUND');
      expect(await codeOf(models.installed[act]('../../etc'))).toBe('NOT_FOUND');
    }
    expect(await open(dir).installed.list()).toEqual([]);
  });

  test('cannot be deleted while loaded', async () => {
    const { models } = await store({ isLoaded: (id) => id === 'tiny' });
    const { path } = await models.installed.import(request());
    expect(await codeOf(models.installed.remove('tiny'))).toBe('RUNTIME_ALREADY_RUNNING');
    expect((await readFile(path)).length).toBe(CONTENT.length);
  });

  test('is not changed by another process, and the server removes incomplete files of dead ones', async () => {
    const { dir, models } = await store();
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield CONTENT;
      await held;
    }
    const first = models.installed.import(request({ content: slow() }));
    await models.installed.list();
    const visitor = open(dir, { isBackground: false });
    expect(await visitor.installed.list()).toEqual([]);
    go();
    expect((await first).state).toBe('ready');
    expect(await visitor.installed.list()).toHaveLength(1);
  });

  test('is RUNTIME_NOT_AVAILABLE when its metadata cannot be read', async () => {
    const { dir } = await store();
    await dir.write({ 'local-models.db': 'not a database, and long enough to be read as one. '.repeat(100) });
    const models = open(dir);
    expect(await codeOf(models.installed.list())).toBe('RUNTIME_NOT_AVAILABLE');
    expect(await codeOf(models.installed.import(request()))).toBe('RUNTIME_NOT_AVAILABLE');
  });
});
