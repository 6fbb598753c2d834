// A token of a local model through our engine, its process and its HTTP, beside the bare library in this process, alternating
// in one run. The model is made for it: so small that what is added shows.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../scripts/lib.mjs';
import { median, nowMs, round, tempFolder } from './lib.mjs';

const RUNS = 24;
const CONTEXT = 4_096;
const TOKENS = 300;
const SAMPLING = { temperature: 0.7, topP: 0.95, topK: 40, minP: 0.05 };
const from = createRequire(join(root, 'packages/local-models/package.json'));

export async function run() {
  const folder = tempFolder();
  try {
    const path = await makeModel(folder.path);
    const ours = await throughOurs(folder.path, path);
    const bare = await throughLibrary(path);
    const times = { ours: [], bare: [] };
    for (let turn = 0; turn < RUNS + 3; turn += 1) {
      for (const [side, act] of [
        ['ours', ours.answer],
        ['bare', bare.answer],
      ]) {
        const measured = await act(turn);
        if (turn >= 3) times[side].push(measured);
      }
    }
    await ours.close();
    await bare.close();
    return rowsOf(times, ours.loadMs);
  } finally {
    folder.remove();
  }
}

function rowsOf(times, loadMs) {
  const middle = (side, name) => median(times[side].map((one) => one[name]));
  const method = `${RUNS} answers of ${TOKENS} tokens, alternating with the bare library in this process; a model of one layer`;
  const same = 'the same run';
  return [
    { figure: 'a token of a local model, ms p50', value: round(middle('ours', 'tokenMs'), 3), bar: '–', method },
    {
      figure: 'the same by the bare library, ms p50',
      value: round(middle('bare', 'tokenMs'), 3),
      bar: '–',
      method: same,
    },
    {
      figure: 'what ours adds to a token, ms p50',
      value: round(middle('ours', 'tokenMs') - middle('bare', 'tokenMs'), 3),
      bar: '≤ 0.3',
      method: same,
    },
    {
      figure: 'what ours adds to the first token, ms p50',
      value: round(middle('ours', 'firstMs') - middle('bare', 'firstMs'), 1),
      bar: '–',
      method: `${same}; the prompt is new each time`,
    },
    { figure: 'a model of 5 MB asked for until it answers, ms', value: Math.round(loadMs), bar: '–', method: 'once' },
  ];
}

const promptOf = (turn) => `This is question ${turn * 7919}: say what you always say, all of it, and then stop.`;

async function makeModel(folder) {
  const { tinyModel } = await import('../packages/testkit/dist/index.js');
  const words = Array.from({ length: TOKENS }, (_, index) => String(index + 1_000)).join('');
  const path = join(folder, 'model.gguf');
  writeFileSync(path, tinyModel({ says: words, contextLength: CONTEXT }));
  return path;
}

async function throughOurs(folder, path) {
  const { createLocalRuntimes } = await import('../packages/local-models/dist/index.js');
  const { createOutboundHttp, lineBatches, systemAmbient } = await import('../packages/shared/dist/index.js');
  const ambient = systemAmbient('silent');
  const http = createOutboundHttp({ ambient });
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const record = { id: 'bench', state: 'ready', bytes: 5e6, files: [], path };
  const runtimes = createLocalRuntimes({
    ambient,
    http,
    environment: process.env,
    dataDir,
    installed: { list: async () => [record], find: async () => record },
    address: async () => ({ endpoint: null, key: undefined }),
  });
  const at = nowMs();
  await runtimes.load({ runtimeId: 'llama.cpp', modelId: 'bench', contextTokens: CONTEXT });
  const loadMs = nowMs() - at;
  const { endpoint, key } = runtimes.engine('bench');
  return {
    loadMs,
    async answer(turn) {
      const messages = [{ role: 'user', content: promptOf(turn) }];
      const started = nowMs();
      const answer = await http.send({
        url: `${endpoint}/chat/completions`,
        method: 'POST',
        policy: 'configured',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ model: 'bench', stream: true, messages }),
      });
      const seen = [];
      for await (const lines of lineBatches(answer.body, endpoint))
        for (const line of lines) if (line.includes('"content":"')) seen.push(nowMs());
      return measure(started, seen);
    },
    async close() {
      await runtimes[Symbol.asyncDispose]();
      await http[Symbol.asyncDispose]();
    },
  };
}

async function throughLibrary(path) {
  const { getLlama, LlamaChat } = await import(from.resolve('node-llama-cpp'));
  const llama = await getLlama({ gpu: false, build: 'never', skipDownload: true, progressLogs: false, maxThreads: 0 });
  const model = await llama.loadModel({ modelPath: path, gpuLayers: 0 });
  const context = await model.createContext({ contextSize: CONTEXT, batchSize: 512, flashAttention: true, threads: 1 });
  const sequence = context.getSequence();
  const { chatWrapper } = new LlamaChat({ contextSequence: sequence });
  return {
    async answer(turn) {
      const started = nowMs();
      const chatHistory = [
        { type: 'user', text: promptOf(turn) },
        { type: 'model', response: [] },
      ];
      const tokens = chatWrapper.generateContextState({ chatHistory }).contextText.tokenize(model.tokenizer);
      await sequence.clearHistory();
      const seen = [];
      for await (const token of sequence.evaluate(tokens, SAMPLING)) {
        if (model.isEogToken(token)) break;
        model.detokenize([token]);
        seen.push(nowMs());
      }
      return measure(started, seen);
    },
    close: () => llama.dispose(),
  };
}

function measure(started, seen) {
  if (seen.length < TOKENS - 20) throw new Error(`${seen.length} tokens`);
  return { firstMs: seen[0] - started, tokenMs: (seen.at(-1) - seen[0]) / (seen.length - 1) };
}
