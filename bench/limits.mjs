// What a turn, a start and a list cannot be faster than on this machine: the bare operations under them, in plain Node.
import { spawn, spawnSync } from 'node:child_process';
import { fsyncSync, lstatSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { median, nowMs, round, tempFolder } from './lib.mjs';

const RUNS = 60;
const WARM = 10;
const KIB = 1024;

export async function run() {
  const place = tempFolder();
  try {
    return [
      row('wait for the disk, a log of 28 KiB and one of 70 KiB, ms p50', await timed(commitsIn(place.path)), {
        method: 'what the two commits of a text turn write: written over, then fsync',
      }),
      row('a request, its answer and a line of a stream, ms p50', await answered(), {
        method: 'plain node:http in another process, kept connections, no middleware, nothing stored',
      }),
      row('bash -c "echo bench" from an empty Node, ms p50', await timed(() => ended('bash', ['-c', 'echo bench'])), {
        method: 'from spawn to the end of its output',
      }),
      row('the same in an empty sandbox, ms p50', await timed(() => ended('bwrap', SANDBOXED)), {
        method: 'bwrap with three mounts and three namespaces',
      }),
      row('git --version from an empty Node, ms p50', await timed(() => ended('git', ['--version'])), {
        method: 'the least that a git costs',
      }),
      row('the same from a Node of 150 MiB, ms p50', fromLargeNode(), {
        method: 'fork copies the tables of its pages',
      }),
      row('node -e 0, ms p50', await timed(() => ended(process.execPath, ['-e', '0']), 15), {
        method: 'whole process',
      }),
      row('facts of 10,000 files, ms p50', await timed(filesIn(place.path), 5), {
        method: 'lstat of each, one after the other',
      }),
    ];
  } finally {
    place.remove();
  }
}

const SANDBOXED = '--ro-bind / / --dev /dev --proc /proc --unshare-pid --unshare-ipc -- bash -c'
  .split(' ')
  .concat('echo bench');

const row = (figure, value, rest) => ({ figure: `bare: ${figure}`, value: round(value, 2), bar: '–', ...rest });

async function timed(act, runs = RUNS) {
  const times = [];
  for (let index = 0; index < runs + WARM; index += 1) {
    const startedAt = nowMs();
    await act();
    times.push(nowMs() - startedAt);
  }
  return median(times.slice(WARM));
}

function commitsIn(folder) {
  const log = openSync(join(folder, 'log'), 'w+');
  const pages = Buffer.alloc(70 * KIB, 1);
  writeSync(log, Buffer.alloc(4 * KIB * KIB));
  return () => {
    for (const bytes of [28 * KIB, 70 * KIB]) {
      for (let at = 0; at < bytes; at += 4 * KIB) writeSync(log, pages, at, Math.min(4 * KIB, bytes - at), at);
      fsyncSync(log);
    }
  };
}

function ended(program, args) {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    child.stdout.resume();
    child.once('error', fail);
    child.once('close', (code) => (code === 0 ? done() : fail(new Error(`${program} ended with ${code}`))));
  });
}

/** Asked of a child that keeps 150 MiB and reports its own median. */
function fromLargeNode() {
  const script = `
    const held = Buffer.alloc(150 * 1024 * 1024, 1);
    const { spawn } = require('node:child_process');
    const one = () => new Promise((done) => {
      const at = process.hrtime.bigint();
      const child = spawn('git', ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] });
      child.stdout.resume();
      child.once('close', () => done(Number(process.hrtime.bigint() - at) / 1e6));
    });
    (async () => {
      const times = [];
      for (let index = 0; index < ${RUNS + WARM}; index += 1) times.push(await one());
      const sorted = times.slice(${WARM}).sort((a, b) => a - b);
      console.log(sorted[Math.floor(sorted.length / 2)] + held[0] * 0);
    })();`;
  return Number(spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout);
}

function filesIn(folder) {
  mkdirSync(join(folder, 'files'));
  const names = Array.from({ length: 10_000 }, (_, index) => join(folder, 'files', `${index}.json`));
  for (const name of names) writeFileSync(name, '{}');
  return () => void names.map((name) => lstatSync(name).size);
}

/** A server of another process: a stream that stays open, and a request that is answered and then written to it. */
async function answered() {
  const script = `
    let stream;
    require('node:http').createServer((question, answer) => {
      if (question.method === 'GET') {
        answer.writeHead(200, { 'content-type': 'text/event-stream' });
        answer.write(': open\\n\\n');
        stream = answer;
        return;
      }
      question.resume().on('end', () => {
        answer.end('{"ok":true}');
        setImmediate(() => stream.write('data: {}\\n\\n'));
      });
    }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;
  const server = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const port = Number(await new Promise((done) => server.stdout.once('data', (text) => done(String(text)))));
    const agent = new Agent({ keepAlive: true });
    const ask = (method) =>
      new Promise((done, fail) => {
        const sent = request({ agent, port, host: '127.0.0.1', method }, done).on('error', fail);
        sent.end(method === 'POST' ? '{"messaggio":"again"}' : undefined);
      });
    const stream = await ask('GET');
    await new Promise((done) => stream.once('data', done));
    return await timed(async () => {
      const line = new Promise((done) => stream.once('data', done));
      (await ask('POST')).resume();
      await line;
    });
  } finally {
    server.kill('SIGKILL');
  }
}
