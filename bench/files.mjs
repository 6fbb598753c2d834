// Files of a session: a folder of 10,000 entries, a name among 100,000, a 500 MB file looked at in pieces, 100 MB handed over.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../scripts/lib.mjs';
import { call, median, nowMs, peakMiB, quantile, round, startBench, TOKEN } from './lib.mjs';

/** Of the server, not of this folder. */
const RIPGREP = '@vscode/ripgrep';
const READS = 40;
const MIB = 1024 * 1024;
const PIECE = MIB / 4;
const LARGE_BYTES = 500_000_000;
const UPLOAD_BYTES = 100_000_000;

export async function run() {
  const bench = await startBench('hello', { FUCINA_BODY_LIMIT: String(128 * MIB) });
  try {
    fill(bench.project);
    await noticed();
    const id = await bench.start();
    const level = await times(() => call(bench.port, 'GET', `/sessions/${id}/tree?percorso=level`));
    const names = await search(bench, id);
    return [
      {
        figure: 'one level of 10,000 entries, ms p50 / p95',
        value: `${round(median(level))} / ${round(quantile(level, 0.95))}`,
        bar: '≤ 50',
        method: `${READS} reads of the whole level, parsed by the client`,
      },
      ...names,
      ...(await preview(bench, id)),
      ...(await upload(bench, id)),
    ];
  } finally {
    await bench.close();
  }
}

/** 10,000 files in one folder, 100,000 in a hundred others, and one that is large. */
function fill(folder) {
  mkdirSync(join(folder, 'level'));
  for (let index = 0; index < 10_000; index += 1) writeFileSync(join(folder, 'level', `entry-${index}.txt`), '');
  for (let place = 0; place < 100; place += 1) {
    const inner = join(folder, 'tree', `folder-${place}`);
    mkdirSync(inner, { recursive: true });
    for (let index = 0; index < 1_000; index += 1) writeFileSync(join(inner, `module-${place}-${index}.ts`), '');
  }
  const large = openSync(join(folder, 'large.log'), 'w');
  ftruncateSync(large, LARGE_BYTES);
  closeSync(large);
}

/** The interface looks at 40,000 entries at most: both are counted by the entry. */
async function search({ port, project }, id) {
  const { rgPath } = createRequire(join(root, 'apps/server/package.json'))(RIPGREP);
  const inner = join(project, 'tree');
  const piped = () =>
    execFileSync('sh', ['-c', `"${rgPath}" --files --no-ignore --hidden | "${rgPath}" nowhere || true`], {
      cwd: inner,
    });
  let visited = 0;
  const ours = await times(async () => {
    const { data } = await call(port, 'GET', `/sessions/${id}/tree/search?q=nowhere`);
    visited = data.visitate;
  });
  const theirs = await times(piped);
  await noticed();
  const eachOurs = median(ours) / visited;
  const eachTheirs = median(theirs) / 100_000;
  return [
    {
      figure: 'a name among 100,000 files, ms p50',
      value: `${round(median(ours))} (${visited} entries)`,
      bar: '–',
      peers: `rg --files | rg: ${round(median(theirs))} (100,000 files)`,
      method: `${READS} searches for a name that nothing has; the interface stops at 40,000 entries`,
    },
    {
      figure: 'a name looked for, time per entry against rg --files | rg',
      value: `${round(eachOurs / eachTheirs, 2)}×`,
      bar: '≤ 3×',
      method: 'the same runs; rg walks with a thread per core',
    },
  ];
}

/** What the server holds while a large file is looked at, piece after piece and by the largest piece it carries. */
async function preview({ port, pid }, id) {
  const path = `/api/v1/sessions/${id}/file?percorso=large.log`;
  const before = peakMiB(pid);
  const first = [];
  for (let from = 0; from < LARGE_BYTES; from += PIECE) {
    const at = nowMs();
    await carry({ port, path, range: `bytes=${from}-${from + PIECE - 1}` });
    first.push(nowMs() - at);
  }
  const windows = peakMiB(pid);
  const startedAt = nowMs();
  for (let from = 0; from < LARGE_BYTES; from += 64 * MIB) {
    await carry({ port, path, range: `bytes=${from}-${from + 64 * MIB - 1}` });
  }
  const seconds = (nowMs() - startedAt) / 1_000;
  return [
    {
      figure: '500 MB file looked at from end to end, MiB more than before',
      value: round(windows - before),
      bar: '≤ 32',
      method: `${first.length} windows of 256 KiB; peak of the server’s memory, one window ${round(median(first))} ms p50`,
    },
    {
      figure: '500 MB file carried in pieces of 64 MiB, MiB more than before',
      value: round(peakMiB(pid) - before),
      bar: '≤ 64',
      method: `peak of the server’s memory; ${Math.round(LARGE_BYTES / 1e6 / seconds)} MB/s`,
    },
  ];
}

async function upload({ port, pid }, id) {
  const before = peakMiB(pid);
  const at = nowMs();
  const { sha256, wanted } = await hand({ port, path: `/api/v1/sessions/${id}/chat-files` });
  const seconds = (nowMs() - at) / 1_000;
  if (sha256 !== wanted) throw new Error('what arrived is not what was handed over');
  return [
    {
      figure: '100 MB handed over, s',
      value: round(seconds, 2),
      bar: '≤ 2',
      method: `one request with the limit raised; ${round(peakMiB(pid) - before)} MiB more in memory than before`,
    },
  ];
}

/** Connections that the server closed while nobody here could listen. */
const noticed = () => new Promise((done) => setTimeout(done, 50));

/** After one that warms up. */
async function times(act) {
  await act();
  const list = [];
  for (let index = 0; index < READS; index += 1) {
    const at = nowMs();
    await act();
    list.push(nowMs() - at);
  }
  return list;
}

/** Reads a piece and keeps nothing of it. */
function carry({ port, path, range }) {
  return new Promise((done, fail) => {
    const headers = { cookie: `svc_token=${TOKEN}`, range };
    const sent = request({ host: '127.0.0.1', port, path, headers }, (response) => {
      if (response.statusCode !== 206) fail(new Error(`${range}: ${response.statusCode}`));
      response.on('end', done).resume();
    });
    sent.on('error', fail).end();
  });
}

function hand({ port, path }) {
  const chunk = Buffer.alloc(MIB, 'fucina ');
  const hash = createHash('sha256');
  const headers = {
    cookie: `svc_token=${TOKEN}`,
    origin: `http://127.0.0.1:${port}`,
    'content-type': 'application/octet-stream',
    'content-length': UPLOAD_BYTES,
    'x-svc-file-name': 'handed.bin',
  };
  return new Promise((done, fail) => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, async (response) => {
      const chunks = [];
      for await (const part of response) chunks.push(part);
      const answer = JSON.parse(Buffer.concat(chunks).toString());
      if (answer.ok) done({ sha256: answer.data.sha256, wanted: hash.digest('hex') });
      else fail(new Error(answer.error.code));
    });
    sent.on('error', fail);
    let left = UPLOAD_BYTES;
    const more = () => {
      while (left > 0) {
        const part = chunk.subarray(0, Math.min(left, MIB));
        left -= part.length;
        hash.update(part);
        if (!sent.write(part)) return sent.once('drain', more);
      }
      sent.end();
    };
    more();
  });
}
