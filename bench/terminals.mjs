// A terminal through its WebSocket: bytes a second, the time from a key to its echo, and memory under a flood.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../scripts/lib.mjs';
import { call, median, nowMs, quantile, round, startBench, TOKEN } from './lib.mjs';

const { WebSocket } = createRequire(join(root, 'apps/server/package.json'))('ws');
const KEYS = 500;
const MEGABYTES = 200;
const FLOOD_MS = 15_000;
const MIB = 1024;

export async function run() {
  const bench = await startBench('hello');
  try {
    const id = await bench.start();
    const terminal = await attach(bench.port, id);
    terminal.type('stty -echo; PS1=; echo rea""dy\r');
    await terminal.sees('ready');
    return [...(await echoes(bench, terminal)), ...(await throughput(terminal)), ...(await flood(bench, terminal))];
  } finally {
    await bench.close();
  }
}

async function echoes(_bench, terminal) {
  // The line discipline of the terminal echoes by itself: what is measured is our way there and back.
  terminal.type('stty echo; cat > /dev/null\r');
  await pause(300);
  const times = [];
  for (let key = 0; key < KEYS; key += 1) {
    const at = nowMs();
    const arrived = terminal.next();
    terminal.type('x');
    await arrived;
    times.push(nowMs() - at);
  }
  terminal.type('\u0003stty -echo\r');
  await pause(300);
  const method = `${KEYS} keys, one after the other, echoed by the terminal itself`;
  return [
    { figure: 'terminal: key to echo, ms p50', value: round(median(times), 2), bar: '–', method },
    { figure: 'terminal: key to echo, ms p95', value: round(quantile(times, 0.95), 2), bar: '≤ 10', method },
  ];
}

async function throughput(terminal) {
  const before = terminal.bytes();
  const at = nowMs();
  terminal.type(`head -c ${MEGABYTES}000000 /dev/zero | tr '\\0' x; echo do""ne\r`);
  await terminal.sees('done');
  const value = round((terminal.bytes() - before) / 1e6 / ((nowMs() - at) / 1000));
  return [
    {
      figure: 'terminal: output, MB/s',
      value,
      bar: '–',
      method: `${MEGABYTES} MB printed by a program, received by a client that keeps up`,
    },
  ];
}

async function flood(bench, terminal) {
  for (let request = 0; request < 300; request += 1) await call(bench.port, 'GET', '/health');
  const before = residentKib(bench.pid);
  let peak = before;
  const times = [];
  terminal.type('yes\r');
  const end = nowMs() + FLOOD_MS;
  while (nowMs() < end) {
    const at = nowMs();
    await call(bench.port, 'GET', '/health');
    times.push(nowMs() - at);
    peak = Math.max(peak, residentKib(bench.pid));
    await pause(20);
  }
  terminal.type('\u0003');
  const method = `\`yes\` for ${FLOOD_MS / 1000} s, read by a client that keeps up; GET /health every 20 ms`;
  return [
    { figure: 'terminal: memory grown by a flood, MiB', value: round((peak - before) / MIB), bar: '≤ 64', method },
    {
      figure: 'other requests during the flood, ms p99',
      value: round(quantile(times, 0.99)),
      bar: '≤ 250',
      method: `${times.length} requests of the same run`,
    },
  ];
}

const residentKib = (pid) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

function attach(port, id) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/v1/terminal/ws?id=${id}`, {
    headers: { cookie: `svc_token=${TOKEN}` },
  });
  let bytes = 0;
  let tail = '';
  let look = () => undefined;
  let onNext = () => undefined;
  socket.on('message', (frame) => {
    if (frame[0] !== 0) return;
    bytes += frame.length - 1;
    tail = (tail + frame.subarray(Math.max(1, frame.length - 64)).toString()).slice(-128);
    look();
    onNext();
  });
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () =>
      resolve({
        bytes: () => bytes,
        type: (text) => socket.send(Buffer.concat([Buffer.from([0]), Buffer.from(text)])),
        next: () => new Promise((done) => (onNext = done)),
        sees: (part) =>
          new Promise((done) => {
            look = () => tail.includes(part) && done();
            look();
          }),
      }),
    );
  });
}
