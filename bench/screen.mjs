// The interactive screen in a pseudo-terminal: its first frame, the time from a key to its frame, and typing while an answer streams.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from '../scripts/lib.mjs';
import { median, nowMs, quantile, round, startNode, tempFolder } from './lib.mjs';

const { spawn } = createRequire(join(root, 'packages/terminals/package.json'))('node-pty');
const MAIN = join(root, 'apps/cli/dist/main.js');
const STARTS = 9;
const KEYS = 200;
const TURNS = 5;
const STEPS = 20;
const DELTAS_A_STEP = 100;
const PER_SECOND = 2_000;
const STREAM_SECONDS = 8;
const KEY_EVERY_MS = 50;
/** None of them is anywhere else on the screen. */
const LETTERS = 'QZXJKVYW';
const FRAME = '\x1b[?2026l';

export async function run() {
  const data = tempFolder();
  const project = tempFolder();
  writeFileSync(join(project.path, 'README.md'), '# Bench\n');
  const env = {
    ...process.env,
    FUCINA_DATA_DIR: data.path,
    FUCINA_KEY_STORE: 'memory',
    FUCINA_PUBLIC_CATALOG: '0',
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
  };
  const place = { env, cwd: project.path };
  try {
    const first = await firstFrames(place);
    const { session, events } = await longSession(place);
    return [...first, ...(await keysInLongSession(place, session, events)), ...(await keysInStream(place))];
  } finally {
    data.remove();
    project.remove();
  }
}

function fucina({ env, cwd }, ...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    env,
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`fucina ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** The screen, and what it has written since. */
function open({ env, cwd }, args = []) {
  const startedAt = nowMs();
  const pty = spawn(process.execPath, [MAIN, ...args], { name: 'xterm-256color', cols: 120, rows: 40, cwd, env });
  let written = '';
  let frames = 0;
  const waiting = new Set();
  pty.onData((text) => {
    written += text;
    for (const look of waiting) look();
  });
  const screen = {
    pid: pty.pid,
    startedAt,
    type: (text) => pty.write(text),
    forget() {
      frames += written.split(FRAME).length - 1;
      written = '';
    },
    frames: () => frames + written.split(FRAME).length - 1,
    /** Resolves with the moment at which everything of `text` was on its way here. */
    sees: (text, patienceMs = 60_000) =>
      new Promise((resolve, reject) => {
        const deadline = setTimeout(
          () => reject(new Error(`the screen never showed ${JSON.stringify(text)}: ${written.slice(-2_000)}`)),
          patienceMs,
        );
        const look = () => {
          if (!written.includes(text)) return;
          clearTimeout(deadline);
          waiting.delete(look);
          resolve(nowMs());
        };
        waiting.add(look);
        look();
      }),
    close: () =>
      new Promise((done) => {
        pty.onExit(done);
        pty.kill('SIGTERM');
      }),
  };
  return screen;
}

async function firstFrames(place) {
  const times = [];
  for (let index = 0; index < STARTS; index += 1) {
    const screen = open(place);
    times.push((await screen.sees(FRAME)) - screen.startedAt);
    await pause(400);
    await screen.close();
  }
  return [
    {
      figure: 'screen: first frame after process start, ms',
      value: round(median(times), 0),
      bar: '≤ 300',
      method: `median of ${STARTS}, pseudo-terminal of 120 x 40`,
    },
  ];
}

/** A conversation of 10,000 events: five turns of twenty calls of a tool, each with a hundred pieces of text before it. */
async function longSession(place) {
  const step = {
    text: { count: DELTAS_A_STEP, delta: 'a **word** of `it` ' },
    toolCalls: [{ name: 'leggi', arguments: { percorso: 'README.md' } }],
  };
  const steps = [...Array.from({ length: STEPS }, () => step), { text: 'The end of it.' }];
  const model = await startModel(place, { steps, isLoop: true });
  try {
    let session;
    for (let turn = 0; turn < TURNS; turn += 1) {
      const on = session ? ['--resume', session] : [];
      const done = fucina(place, '-p', 'go', '--model', 'ollama:bench', '--output-format', 'json', ...on);
      session = JSON.parse(done).sessionId;
    }
    const { events } = JSON.parse(fucina(place, 'sessions', 'export', session));
    return { session, events: events.length };
  } finally {
    await model.stop();
  }
}

async function startModel(place, scenario) {
  const file = join(place.cwd, '.scenario.json');
  writeFileSync(file, JSON.stringify(scenario));
  const model = await startNode('packages/testkit/dist/model-server-main.js', { args: [file] });
  fucina(place, 'provider', 'set-address', 'ollama', model.ready.url);
  return model;
}

async function keysInLongSession(place, session, events) {
  const screen = open(place, ['--resume', session]);
  await screen.sees('The end of it.');
  const openedMs = nowMs() - screen.startedAt;
  await pause(1_500);
  const times = [];
  let text = '';
  for (let key = 0; key < KEYS; key += 1) {
    const letter = LETTERS[key % LETTERS.length];
    text = key % 80 === 0 ? letter : text + letter;
    if (key && key % 80 === 0) {
      screen.type('\x15');
      await pause(100);
    }
    screen.forget();
    const at = nowMs();
    screen.type(letter);
    const seen = screen.sees(text);
    times.push((await seen) - at);
    await pause(20);
  }
  const memoryMiB = peakMiB(screen.pid);
  await screen.close();
  const method = `${KEYS} keys one after the other, session of ${events} events`;
  return [
    {
      figure: 'screen: session of 10,000 events open after process start, ms',
      value: round(openedMs, 0),
      bar: '–',
      method: `once, ${events} events`,
    },
    { figure: 'screen: key to frame, 10,000 events, ms p50', value: round(median(times), 1), bar: '–', method },
    {
      figure: 'screen: key to frame, 10,000 events, ms p95',
      value: round(quantile(times, 0.95), 1),
      bar: '≤ 16',
      method,
    },
    {
      figure: 'screen: most memory with 10,000 events, MiB',
      value: round(memoryMiB, 0),
      bar: '–',
      method: 'peak resident set of the process',
    },
  ];
}

async function keysInStream(place) {
  const always = {
    text: { count: PER_SECOND * STREAM_SECONDS, delta: 'a **word** of it\n\n' },
    deltasPerSecond: PER_SECOND,
  };
  const model = await startModel(place, { always });
  const screen = open(place, ['-m', 'ollama:bench']);
  try {
    await screen.sees('ollama:bench');
    await pause(1_500);
    screen.type('go\r');
    await screen.sees('word');
    screen.forget();
    const [startedAt, usedBefore, framesBefore] = [nowMs(), cpuMs(screen.pid), screen.frames()];
    const times = [];
    let text = '';
    const keys = Math.floor(((STREAM_SECONDS - 2) * 1_000) / KEY_EVERY_MS);
    for (let key = 0; key < keys; key += 1) {
      const letter = LETTERS[key % LETTERS.length];
      text = text.length === 80 ? letter : text + letter;
      if (text.length === 1 && key) screen.type('\x15');
      screen.forget();
      const at = nowMs();
      screen.type(letter);
      times.push((await screen.sees(text, 5_000)) - at);
      await pause(Math.max(0, KEY_EVERY_MS - (nowMs() - at)));
    }
    const seconds = (nowMs() - startedAt) / 1_000;
    const frames = screen.frames() - framesBefore;
    const cpu = (cpuMs(screen.pid) - usedBefore) / (seconds * 10);
    const method = `${keys} keys, one every ${KEY_EVERY_MS} ms, while ${PER_SECOND} deltas arrive a second; every key arrived`;
    return [
      { figure: 'screen: key to frame at 2,000 deltas/s, ms p50', value: round(median(times), 1), bar: '–', method },
      {
        figure: 'screen: key to frame at 2,000 deltas/s, ms p95',
        value: round(quantile(times, 0.95), 1),
        bar: '–',
        method,
      },
      { figure: 'screen: frames a second at 2,000 deltas/s', value: round(frames / seconds, 0), bar: '–', method },
      {
        figure: 'screen: processor at 2,000 deltas/s, % of one core',
        value: round(cpu, 0),
        bar: '–',
        method: 'screen, services and journal are one process',
      },
    ];
  } finally {
    await screen.close();
    await model.stop();
  }
}

function peakMiB(pid) {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}

const TICK_MS = 10;

function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
