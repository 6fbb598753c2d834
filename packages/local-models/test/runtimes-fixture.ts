import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOutboundHttp, type Environment, systemAmbient } from '@fucina/shared';
import { type TinyModelOptions, tempDir, tinyModel } from '@fucina/testkit';
import type { Machine } from '../src/fit/machine.ts';
import type { ModelRecord, ModelState } from '../src/model-record.ts';
import type { ExternalAddress } from '../src/runtimes/external-runtime.ts';
import { createLocalRuntimes, type LocalRuntimes } from '../src/runtimes/local-runtimes.ts';

/** Runtimes over models created for the test. */
export interface RuntimesFixture extends AsyncDisposable {
  runtimes: LocalRuntimes;
  folder: string;
  /** Writes a model and registers it. */
  add(id: string, options?: TinyModelOptions & { state?: ModelState; bytes?: Buffer }): ModelRecord;
  /** The log as text. */
  logged(): string;
}

export interface FixtureOptions {
  program?: string;
  environment?: Environment;
  machine?: Machine;
  /** Moves the clock that measures durations. */
  monotonic?: () => number;
  address?: (runtime: 'ollama' | 'lmstudio') => Promise<ExternalAddress>;
}

export async function runtimesFixture(options: FixtureOptions = {}): Promise<RuntimesFixture> {
  const dir = await tempDir();
  const lines: string[] = [];
  const ambient = systemAmbient('silent');
  const note = (event: string, fields?: object): void => void lines.push(`${event} ${JSON.stringify(fields ?? {})}`);
  const log = { ...ambient.log, info: note, warn: note, error: note };
  const http = createOutboundHttp({ ambient });
  const records = new Map<string, ModelRecord>();
  const runtimes = createLocalRuntimes({
    ambient: { ...ambient, log, ...(options.monotonic && { monotonic: options.monotonic }) },
    http,
    environment: options.environment ?? { PATH: process.env['PATH'] },
    dataDir: dir.path,
    installed: { list: async () => [...records.values()], find: async (id) => records.get(id) },
    program: options.program,
    address: options.address ?? (async () => ({ endpoint: null, headers: {} })),
    ...(options.machine && { machine: options.machine }),
  });
  return {
    runtimes,
    folder: dir.path,
    logged: () => lines.join('\n'),
    add(id, { state = 'ready', bytes, ...made } = {}) {
      const content = bytes ?? tinyModel(made);
      mkdirSync(join(dir.path, id));
      const path = join(dir.path, id, 'model.gguf');
      writeFileSync(path, content);
      const sha256 = createHash('sha256').update(content).digest('hex');
      const record: ModelRecord = {
        id,
        repo: 'local-upload',
        revision: sha256,
        files: [{ path: 'model.gguf', bytes: content.length, sha256 }],
        bytes: content.length,
        sha256,
        license: 'unknown',
        path,
        state,
        updatedAt: '2026-01-01T00:00:00.000Z',
      };
      records.set(id, record);
      return record;
    },
    async [Symbol.asyncDispose]() {
      await runtimes[Symbol.asyncDispose]();
      await http[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

const GIB = 1024 ** 3;

/** A computer with the given resources. */
export function machineWith(
  given: { memoryBytes?: number; diskBytes?: number; isBroken?: boolean; cards?: string[] } = {},
): Machine {
  const { memoryBytes = 64 * GIB, diskBytes = 500 * GIB, isBroken = false, cards } = given;
  const measure = async <Value>(value: Value): Promise<Value> => {
    if (isBroken) throw new Error('cannot be measured');
    return value;
  };
  return {
    platform: 'linux',
    arch: 'x64',
    memory: () => measure({ totalBytes: memoryBytes, availableBytes: memoryBytes }),
    storage: () => measure({ totalBytes: diskBytes, availableBytes: diskBytes }),
    processor: () => measure({ model: 'a processor', physicalCores: 2, logicalCores: 4 }),
    graphics: () =>
      measure(cards ? cards.map((name) => ({ name, totalBytes: 8 * GIB, freeBytes: null, backend: 'cuda' })) : null),
  };
}

export interface ChatAnswer {
  status: number;
  text: string;
  /** For all chunks together. */
  content: string;
  calls: { id: string; function: { name: string; arguments: string } }[];
  usage: { prompt_tokens: number; completion_tokens: number; prompt_tokens_details: { cached_tokens: number } };
  finish: string | undefined;
}

export interface ChatOptions {
  messages: object[];
  tools?: object[];
  more?: object;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** One streamed answer of the engine with the loaded model. */
export async function chat(runtimes: LocalRuntimes, model: string, options: ChatOptions): Promise<ChatAnswer> {
  const engine = runtimes.engine(model);
  if (!engine) throw new Error('the engine does not hold the model');
  const response = await fetch(`${engine.endpoint}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${engine.key}`, ...options.headers },
    body: JSON.stringify({ model, stream: true, messages: options.messages, tools: options.tools, ...options.more }),
    ...(options.signal && { signal: options.signal }),
  });
  const text = await response.text();
  const chunks = text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
  const deltas = chunks.flatMap(({ choices }) => choices ?? []);
  return {
    status: response.status,
    text,
    content: deltas.map(({ delta }) => delta.content ?? '').join(''),
    calls: deltas.flatMap(({ delta }) => delta.tool_calls ?? []),
    usage: chunks.findLast(({ usage }) => usage)?.usage,
    finish: deltas.findLast(({ finish_reason }) => finish_reason)?.finish_reason,
  };
}
