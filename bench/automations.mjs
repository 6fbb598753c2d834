// The scheduler with 10,000 automations: memory, and what a look at them costs. The package alone, over a real store.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createAutomations } from '../packages/automations/dist/index.js';
import { systemAmbient } from '../packages/shared/dist/index.js';
import { median, quantile, round, tempFolder } from './lib.mjs';

const COUNT = 10_000;
const LOOKS = 200;
const DUE = 100;
const MINUTE = 60_000;
const MIB = 1024 * 1024;

export async function run() {
  const data = tempFolder();
  try {
    const madeMs = await fill(data.path);
    // A process of its own finds them there, as a server does when it starts.
    const file = fileURLToPath(import.meta.url);
    const facts = JSON.parse(execFileSync(process.execPath, [file, data.path], { encoding: 'utf8' }));
    const method = `${COUNT.toLocaleString('en')} automations of seven kinds in five zones, the package in a process of its own`;
    return [
      {
        figure: '10,000 automations: memory, MiB',
        value: round(facts.grown),
        bar: '≤ 64',
        method: `${method}, resident`,
      },
      { figure: '10,000 automations: start, ms', value: round(facts.startMs), bar: '–', method },
      { figure: 'a look when nothing is due, ms p50', value: round(facts.p50, 3), bar: '≤ 1', method },
      { figure: 'the same, ms p95', value: round(facts.p95, 3), bar: '–', method: 'the same run' },
      {
        figure: 'a run begun, ms',
        value: round(facts.fireMs, 2),
        bar: '–',
        method: `${facts.started} due at the same time: claimed, begun and ended, fsync on each step`,
      },
      {
        figure: 'an automation made, ms',
        value: round(madeMs, 2),
        bar: '–',
        method: 'checked, its next time computed, fsync',
      },
    ];
  } finally {
    data.remove();
  }
}

async function measure(folder) {
  const before = process.memoryUsage().rss;
  const domain = openDomain(folder);
  const at = performance.now();
  const looked = domain.looked();
  await domain.automations.start();
  await looked;
  const startMs = performance.now() - at;
  const idle = [];
  for (let look = 0; look < LOOKS; look += 1) idle.push(await domain.look());
  const grown = (process.memoryUsage().rss - before) / MIB;
  // The first hundred of them come due at the same minute, and others with them.
  domain.move(61 * MINUTE);
  const fireMs = (await domain.look()) / domain.started();
  await domain.automations[Symbol.asyncDispose]();
  const facts = { grown, startMs, p50: median(idle), p95: quantile(idle, 0.95), fireMs, started: domain.started() };
  process.stdout.write(JSON.stringify(facts));
}

const ZONES = ['Europe/Rome', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'UTC'];

async function fill(folder) {
  const { automations } = openDomain(folder);
  const at = performance.now();
  for (let index = 0; index < COUNT; index += 1) {
    await automations.create(
      {
        name: `Automation ${index}`,
        instructions: 'Look at the build and say what fails. '.repeat(5),
        folder: '/project',
        schedule: scheduleOf(index),
        zone: ZONES[index % ZONES.length],
      },
      { kind: 'window' },
    );
  }
  const madeMs = (performance.now() - at) / COUNT;
  await automations[Symbol.asyncDispose]();
  return madeMs;
}

function scheduleOf(index) {
  if (index < DUE) return { kind: 'every', minutes: 60 };
  const time = `${String(index % 24).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}`;
  const kinds = [
    { kind: 'daily', time },
    { kind: 'weekdays', time },
    { kind: 'weekly', time, day: index % 7 },
    { kind: 'every', minutes: 600 + (index % 300) },
    { kind: 'cron', expression: `${index % 60} ${index % 24} 1 * *` },
    { kind: 'once', at: '2099-01-01T09:00' },
    { kind: 'manual' },
  ];
  return kinds[index % kinds.length];
}

/** The package with time in our hands; sessions that end at once. */
function openDomain(dataDir) {
  let moved = 0;
  let tick = () => undefined;
  let planned = () => undefined;
  let count = 0;
  const ambient = {
    ...systemAmbient('silent'),
    now: () => Date.UTC(2026, 5, 1, 12) + moved,
    timer(_ms, callback) {
      tick = callback;
      planned();
      return () => undefined;
    },
  };
  const automations = createAutomations({
    ambient,
    dataDir,
    systemZone: 'Europe/Rome',
    folderOf: async (path) => path,
    templateName: async (id) => id,
    isModelId: () => true,
    sessions: {
      start: async () => ({ sessionId: `session-${(count += 1)}` }),
      startTemplate: async () => ({ sessionId: `session-${(count += 1)}` }),
      settled: async () => undefined,
      report: async () => ({ isRunning: false, outcome: 'done', text: '', code: null, retryAfterMs: null }),
      stop: async () => undefined,
    },
  });
  const looked = () => new Promise((done) => (planned = done));
  return {
    automations,
    looked,
    move: (ms) => (moved += ms),
    started: () => count,
    async look() {
      const at = performance.now();
      const done = looked();
      tick();
      await done;
      return performance.now() - at;
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await measure(process.argv[2]);
