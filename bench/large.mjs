// Large repositories: how long other requests wait while a session's folder is opened, left and opened again, and how
// long a turn with one short command takes, beside git on the same tree. As many files again are ignored.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, follow, median, nowMs, peakMiB, round, startBench, TOKEN, tempFolder } from './lib.mjs';

const SIZES = (process.env.FUCINA_BENCH_FILES ?? '1000,20000,60000,150000').split(',').map(Number);
const PER_FOLDER = 12;
const SCENARIO = {
  rules: [
    { when: { lastRole: 'tool' }, reply: { text: 'Done.' } },
    { reply: { toolCalls: [{ name: 'shell', arguments: { comando: 'echo hi' } }] } },
  ],
};
/** The longest that the watch of a folder takes to begin, with a reserve. */
const OPENING_MS = 8_000;
const PAUSE_MS = 5;
const LATER = 5;

export async function run() {
  const rows = [];
  for (const size of SIZES) rows.push(...(await measure(size)));
  return rows;
}

async function measure(size) {
  const bench = await startBench(SCENARIO);
  const small = tempFolder();
  try {
    makeTree(bench.project, size);
    await noticed();
    // What the server loads at its first turn is another figure.
    await turn(bench, small.path);
    const first = await turn(bench, bench.project);
    const later = [];
    for (let at = 0; at < LATER; at += 1) later.push((await turn(bench, bench.project)).ms);
    const plain = [];
    for (let at = 0; at < LATER; at += 1) plain.push(timeOf(() => git(bench.project, 'status', '--porcelain')));
    await noticed();
    const { id } = first;
    const opened = await waitDuring(bench, (signal) => listen(bench.port, id, signal), OPENING_MS);
    const reloaded = await waitDuring(bench, (signal) => listen(bench.port, id, signal), OPENING_MS);
    const method = `${size} tracked and ${size} ignored files, ${PER_FOLDER} in a folder`;
    return [
      {
        figure: `${size} files: longest wait of others when opened and left / again, ms`,
        value: `${round(opened, 0)} / ${round(reloaded, 0)}`,
        bar: '≤ 100',
        method: `${method}; a request ${PAUSE_MS} ms after the other's answer`,
      },
      {
        figure: `${size} files: turn with \`echo hi\`, first / later, ms`,
        value: `${round(first.ms, 0)} / ${round(median(later), 0)}`,
        bar: '–',
        peers: `git status: ${round(median(plain), 0)}`,
        method: `from the request to the end of the turn, in a new session; ${LATER} later ones, each in a new session`,
      },
      {
        figure: `${size} files: peak memory of the server, MiB`,
        value: round(peakMiB(bench.pid), 0),
        bar: '≤ 250',
        method,
      },
    ];
  } finally {
    await bench.close();
    small.remove();
  }
}

/** Connections that the server closed while this process was busy are noticed. */
const noticed = () => sleep(100);

function makeTree(root, size) {
  for (const top of ['src', 'ignored'])
    for (let at = 0; at < size; at += PER_FOLDER) {
      const folder = join(root, top, `part-${Math.floor(at / 1200)}`, `d${Math.floor(at / PER_FOLDER) % 100}`);
      mkdirSync(folder, { recursive: true });
      for (let file = at; file < Math.min(size, at + PER_FOLDER); file += 1)
        writeFileSync(join(folder, `f${file}.ts`), `export const value${file} = ${file};\n`);
    }
  writeFileSync(join(root, '.gitignore'), 'ignored/\n.scenario.json\n');
  git(root, 'init', '-q');
  // Packed in the background, the objects would take the time that is measured.
  git(root, 'config', 'gc.auto', '0');
  git(root, 'config', 'maintenance.auto', 'false');
  git(root, 'add', '-A');
  git(root, '-c', 'user.name=Bench', '-c', 'user.email=bench@example.invalid', 'commit', '-q', '-m', 'Files');
}

function git(cwd, ...args) {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', args, { cwd, env, maxBuffer: 2 ** 28 });
}

function timeOf(act) {
  const from = nowMs();
  act();
  return nowMs() - from;
}

async function turn(bench, cartellaLibera) {
  const from = nowMs();
  const id = await bench.start('go', { cartellaLibera });
  await follow(bench.port, id, (data) => data.startsWith('{"type":"RunFinished"'));
  return { id, ms: nowMs() - from };
}

/** Reads a session's events until the signal aborts, as an open page does. */
function listen(port, id, signal) {
  const headers = { cookie: `svc_token=${TOKEN}` };
  const sent = request({ port, host: '127.0.0.1', path: `/api/v1/sessions/${id}/events`, headers, signal }, (answer) =>
    answer.on('error', () => undefined).resume(),
  );
  sent.on('error', () => undefined).end();
}

/** The longest that a small request waits while `act` goes on for so long, and in the second after it. */
async function waitDuring({ port }, act, ms) {
  const over = new AbortController();
  const until = nowMs() + ms;
  let longest = 0;
  act(over.signal);
  while (nowMs() < until + 2_000) {
    if (nowMs() > until) over.abort();
    const from = nowMs();
    await call(port, 'GET', '/tools');
    longest = Math.max(longest, nowMs() - from);
    await sleep(PAUSE_MS);
  }
  return longest;
}
