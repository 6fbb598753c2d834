// Prints the bytes that llama.cpp allocates for a model and a context: `node allocations.mjs <file> <context>`.
import { getLlama } from 'node-llama-cpp';

const [file, context] = process.argv.slice(2);
const lines = [];
const llama = await getLlama({
  gpu: false,
  build: 'never',
  skipDownload: true,
  logLevel: 'debug',
  logger: (_level, line) => lines.push(line),
  progressLogs: false,
});
const model = await llama.loadModel({ modelPath: file, gpuLayers: 0 });
await model.createContext({ contextSize: Number(context), batchSize: 512, flashAttention: true, threads: 1 });
const mebibytes = (pattern) => Number(lines.map((line) => pattern.exec(line)?.[1]).findLast(Boolean) ?? Number.NaN);
const seen = () => ({
  cache: mebibytes(/KV buffer size = +([\d.]+)/),
  compute: mebibytes(/compute buffer size = +([\d.]+)/),
});
while (Object.values(seen()).some(Number.isNaN)) await new Promise((resolve) => setImmediate(resolve));
const MIB = 1024 * 1024;
const { cache, compute } = seen();
console.log(JSON.stringify({ weights: model.size, cache: cache * MIB, compute: compute * MIB }));
process.exit(0);
