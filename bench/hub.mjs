// A download of the model hub through ours, checked and on the disk, beside curl, a sync and a sum of the same bytes: alternating, on loopback.
import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, createReadStream, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/lib.mjs';
import { median, nowMs, round, tempFolder } from './lib.mjs';

const MIB = 1_048_576;
const SIZE = 1_024 * MIB;
const ROUNDS = 5;
const SHA = 'a'.repeat(40);

export async function run() {
  const folder = tempFolder();
  const file = join(folder.path, 'model.gguf');
  writeModel(file);
  const sha256 = await sumOf(file);
  const server = spawn(process.execPath, ['-e', SERVER, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve) => server.stdout.once('data', (text) => resolve(String(text).trim())));
  try {
    const ours = await throughOurs(join(folder.path, 'data'), url);
    const rates = { ours: [], curl: [], plain: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.ours.push(SIZE / MIB / (await ours.download({ id: `m${round}`, sha256 })));
      const { transfer, total } = await byCurl(url, join(folder.path, 'copy'));
      rates.curl.push(SIZE / MIB / total);
      rates.plain.push(SIZE / MIB / transfer);
    }
    const peak = ours.peakMiB();
    await ours.close();
    const method = `${SIZE / MIB} MiB, median of ${ROUNDS}, alternating; ours ends when size and SHA-256 are checked and all is on the disk`;
    return [
      { figure: 'download of a model, MiB/s', value: round(median(rates.ours)), bar: '–', method },
      { figure: 'the same by curl, then sync and SHA-256, MiB/s', value: round(median(rates.curl)), bar: '–', method },
      { figure: 'the same by curl alone, unchecked, MiB/s', value: round(median(rates.plain)), bar: '–', method },
      {
        figure: 'download of a model beside curl, as checked',
        value: round(median(rates.ours) / median(rates.curl), 2),
        bar: '≥ 0.9',
        method: 'the same run',
      },
      {
        figure: 'memory that downloading adds at most, MiB',
        value: round(peak),
        bar: '≤ 128',
        method: 'resident memory of the process every 20 ms, over what it was before the first',
      },
    ];
  } finally {
    server.kill();
    folder.remove();
  }
}

const SERVER = `
const { createReadStream, statSync } = require('node:fs');
const file = process.argv[1];
const size = statSync(file).size;
require('node:http').createServer((request, response) => {
  response.writeHead(200, { 'content-length': size });
  createReadStream(file, { highWaterMark: 1048576 }).pipe(response);
}).listen(0, '127.0.0.1', function () { console.log('http://127.0.0.1:' + this.address().port); });
`;

function writeModel(path) {
  const handle = openSync(path, 'w');
  const piece = randomBytes(MIB);
  piece.write('GGUF');
  for (let at = 0; at < SIZE; at += MIB) writeSync(handle, piece);
  closeSync(handle);
}

async function throughOurs(dataDir, url) {
  const { createLocalModels } = await import('../packages/local-models/dist/index.js');
  const { createOutboundHttp, systemAmbient } = await import('../packages/shared/dist/index.js');
  const { redirect } = await import('../packages/testkit/dist/index.js');
  const ambient = systemAmbient('silent');
  const http = createOutboundHttp({ ambient });
  const models = createLocalModels({
    ambient,
    dataDir,
    isBackground: true,
    isLoaded: () => false,
    http: redirect(http, { 'https://huggingface.co': url }),
  });
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 20);
  return {
    async download({ id, sha256 }) {
      const at = nowMs();
      await models.downloads.start({
        id,
        repo: 'maker/model',
        revision: SHA,
        files: [{ path: 'model.gguf', bytes: SIZE, sha256 }],
        bytes: SIZE,
        path: 'model.gguf',
        license: 'mit',
      });
      for (;;) {
        const row = (await models.downloads.list()).find((one) => one.id === id);
        if (row.state === 'failed') throw new Error(row.reason);
        if (row.state === 'ready') break;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      const seconds = (nowMs() - at) / 1_000;
      await models.installed.remove(id);
      return seconds;
    },
    peakMiB: () => (peak - before) / MIB,
    async close() {
      clearInterval(watch);
      await models[Symbol.asyncDispose]();
      await http[Symbol.asyncDispose]();
    },
  };
}

async function sumOf(path) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: MIB })) hash.update(chunk);
  return hash.digest('hex');
}

async function byCurl(url, copy) {
  const at = nowMs();
  execFileSync('curl', ['-s', '-o', copy, url], { cwd: root });
  const transfer = (nowMs() - at) / 1_000;
  execFileSync('sync', [copy]);
  await sumOf(copy);
  const total = (nowMs() - at) / 1_000;
  rmSync(copy);
  return { transfer, total };
}
