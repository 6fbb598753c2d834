// `npm run bench:peers -- <folder>`: turns, starts and one-shots of Fucina beside the peers installed in that folder
// (`npm install @mariozechner/pi-coding-agent @openai/codex @anthropic-ai/claude-code opencode-ai`), on one machine, each
// against a scripted model on the wire it speaks, in turns, each round in another order. Writes bench/PEERS.md; only its ratios say something.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { build, root } from '../scripts/lib.mjs';
import { median, nowMs, quantile, round, scenarioArgument, startNode, tempFolder } from './lib.mjs';
import { bare, ours } from './own-drivers.mjs';
import { peersIn, placeIn } from './peer-drivers.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 40);
const WARM = 5;
const STARTS = 7;
const BURSTS = 5;
const PACED = 3;
/** Turns of a long session, as many at a time as a user's agent, which has the computer to itself. */
const LONG = { turns: 200, from: 100, block: 20 };
const PAUSE_MS = 50;
const FIRST_MS = 90_000;

const TITLE = `# Beside the peers

Each block is one run of \`npm run bench:peers\` on one machine: every agent in turns with the others, against a scripted model
without latency on the wire it speaks. Medians; a peer's figure is given as times ours. No sandbox, but where it is named;
until 2026-11-26 01:32 our one-shot had one all the same, and each of our starts an empty data folder and this machine's
certificates, which Node reads at its start.
The bare program does the least that a turn must, with the same commits (bare-program.mjs); unsynced, it does not wait for
the disk, which ours may not do: what is shown is stored.
Claude Code tells nothing before its first turn, so there is no figure of its start.
`;

const folder = resolve(process.argv[2] ?? '.');
build('@fucina/server', '@fucina/cli', '@fucina/testkit');
const peers = peersIn(folder);
if (!peers.length) throw new Error(`no peer is installed in ${folder}`);
const sandboxed = ours(root, { permissions: 'Workspace write', name: 'Fucina, sandboxed' });
const everyone = [ours(root), sandboxed, ...peers, bare(), bare('sandboxed'), bare('unsynced')];
/** Those with a program of their own to start. */
const programs = everyone.filter(({ oneShot }) => oneShot);

/** Left out everywhere after a turn without an answer. */
const silent = new Set();

const figures = [
  await turnsOf('text turn, existing session', () => ({ always: { text: 'Hello.' } })),
  await turnsOf('turn with one tool call, existing session', toolTurn),
  await longSessionsOf('text turn, the 101st to 200th of a session', () => ({ always: { text: 'Hello.' } })),
  await longSessionsOf('turn with one tool call, the 101st to 200th of a session', toolTurn),
  await startsOf('ready after start'),
  await oneShotsOf('one-shot with one tool call, whole process'),
  await delaysOf('delay of a delta at 200 a second, p95'),
  // The last one: pi sends the whole message again with each delta, and may not answer in time.
  await firstDeltasOf('first delta of 20,000 in one message, from the request'),
];
report(figures);
process.exit();

function toolTurn({ toolCall }) {
  return {
    rules: [{ when: { lastRole: 'tool' }, reply: { text: 'Done.' } }, { reply: { toolCalls: [toolCall] } }],
  };
}

/** Each with a model and folders of its own, for as long as `act` runs. */
async function withPlaces(agents, scenarioOf, act) {
  const opened = [];
  try {
    for (const agent of agents) {
      const data = tempFolder();
      const args = [scenarioArgument(scenarioOf(agent), data.path)];
      const model = await startNode('packages/testkit/dist/model-server-main.js', { args });
      opened.push({ agent, data, model, place: placeIn(data.path, model.ready.url) });
    }
    return await act(opened);
  } finally {
    for (const { data, model } of opened) {
      await model.stop();
      data.remove();
    }
  }
}

/** In turns, each round in another order, with a pause: what one still does after its answer falls on all of them. */
async function inTurns(rounds, agents, act) {
  const times = new Map(agents.map((agent) => [agent, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const agent of shuffled(agents)) {
      await new Promise((done) => setTimeout(done, PAUSE_MS));
      times.get(agent).push(await act(agent));
    }
  }
  return times;
}

function shuffled(items) {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

function medians(times, nameOf) {
  return [...times].map(([agent, all]) => ({
    name: nameOf(agent),
    ms: median(all.slice(all.length > WARM * 2 ? WARM : 0)),
  }));
}

async function turnsOf(figure, scenarioOf) {
  return withRunning(scenarioOf, async (running) => {
    const times = await inTurns(ROUNDS + WARM, running, ({ turn }) => timeOf(turn));
    return { figure, unit: 'ms', rows: medians(times, ({ name }) => name) };
  });
}

/** Without a pause within a block. */
async function longSessionsOf(figure, scenarioOf) {
  return withRunning(scenarioOf, async (running) => {
    const times = await inTurns(LONG.turns / LONG.block, running, async ({ turn }) => {
      const block = [];
      for (let count = 0; count < LONG.block; count += 1) block.push(await timeOf(turn));
      return block;
    });
    const rows = [...times].map(([{ name }, all]) => ({ name, ms: median(all.flat().slice(LONG.from)) }));
    return { figure, unit: 'ms', rows };
  });
}

async function timeOf(turn) {
  const askedAt = nowMs();
  const own = await turn();
  return typeof own === 'number' ? own : nowMs() - askedAt;
}

/** Empty for one that does not answer a first turn here; said, and left out. */
async function startedAndAsked(agent, place) {
  let started;
  try {
    started = await withinLimit(agent.start(place));
    await withinLimit(started.turn());
    return [{ name: agent.name, ...started }];
  } catch (error) {
    console.log(`${agent.name} is left out: ${error.message}`);
    silent.add(agent.name);
    void started?.stop();
    return [];
  }
}

function withinLimit(promise) {
  const late = new Promise((_done, fail) => setTimeout(() => fail(new Error('no answer in time')), FIRST_MS).unref());
  return Promise.race([promise, late]);
}

async function firstDeltasOf(figure) {
  return withRunning(
    () => 'burst-20000',
    async (all) => {
      const running = all.filter(({ reportsDeltas }) => reportsDeltas);
      const times = await inTurns(BURSTS + 1, running, async ({ turn }) => {
        const askedAt = nowMs();
        let first;
        await turn(() => (first ??= nowMs()));
        return first - askedAt;
      });
      return { figure, unit: 'ms', rows: [...times].map(([{ name }, each]) => ({ name, ms: median(each.slice(1)) })) };
    },
  );
}

/** Each delta carries the time of its writing by the model. */
async function delaysOf(figure) {
  return withRunning(
    () => 'paced-200',
    async (all) => {
      const running = all.filter(({ reportsDeltas }) => reportsDeltas);
      const times = await inTurns(PACED, running, async ({ turn }) => {
        const delays = [];
        await turn((delta) => {
          const stamp = /^@(\d+) /.exec(delta)?.[1];
          if (stamp) delays.push(Number(process.hrtime.bigint() - BigInt(stamp)) / 1e6);
        });
        return delays.slice(20);
      });
      const rows = [...times].map(([{ name }, each]) => ({ name, ms: quantile(each.flat(), 0.95) }));
      return { figure, unit: 'ms', rows };
    },
  );
}

/** Each started and asked once. */
async function withRunning(scenarioOf, act) {
  const those = everyone.filter(({ name }) => !silent.has(name));
  return withPlaces(those, scenarioOf, async (opened) => {
    const running = [];
    try {
      for (const { agent, place } of opened) running.push(...(await startedAndAsked(agent, place)));
      return await act(running);
    } finally {
      for (const { stop } of running) await stop();
    }
  });
}

async function startsOf(figure) {
  const quick = programs.filter(({ name }) => name !== 'Claude Code' && name !== sandboxed.name && !silent.has(name));
  return withPlaces(
    quick,
    () => ({ always: { text: 'Hello.' } }),
    async (opened) => {
      const times = await inTurns(STARTS, opened, async ({ agent, place }) => {
        const { readyMs, stop } = await agent.start(place);
        await stop();
        return readyMs;
      });
      return { figure, unit: 'ms', rows: medians(times, ({ agent }) => agent.name) };
    },
  );
}

async function oneShotsOf(figure) {
  const those = programs.filter(({ name }) => !silent.has(name));
  return withPlaces(those, toolTurn, async (opened) => {
    const ready = opened.map(({ agent, place }) => ({ name: agent.name, place, ...agent.oneShot(place) }));
    const times = await inTurns(STARTS, ready, ({ argv, env, place }) => wholeProcess(argv, env, place.project));
    return { figure, unit: 'ms', rows: medians(times, ({ name }) => name) };
  });
}

function wholeProcess([program, ...args], env, cwd) {
  const startedAt = nowMs();
  const child = spawn(program, args, { env, cwd, stdio: 'ignore' });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) =>
      code === 0 ? done(nowMs() - startedAt) : fail(new Error(`${program} ${args.join(' ')} ended with ${code}`)),
    );
  });
}

function report(all) {
  const versions = peers.map(({ name, version }) => `${name} ${version}`).join(', ');
  const names = [...new Set(all.flatMap(({ rows }) => rows.map(({ name }) => name)))];
  const heading = `\n${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, ${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}; ${versions}\n`;
  const lines = all.map(({ figure, unit, rows }) => {
    const own = rows.find(({ name }) => name === 'Fucina').ms;
    const cells = names.map((name) => {
      const found = rows.find((row) => row.name === name);
      if (!found) return '–';
      return name === 'Fucina' ? `${round(own)} ${unit}` : `${round(found.ms / own, 2)} × (${round(found.ms)})`;
    });
    return `| ${figure} | ${cells.join(' | ')} |`;
  });
  const table = [heading, `| figure | ${names.join(' | ')} |`, `|---|${names.map(() => '---|').join('')}`, ...lines];
  console.log(table.join('\n'));
  const file = join(root, 'bench/PEERS.md');
  const before = existsSync(file) ? readFileSync(file, 'utf8') : TITLE;
  // Before the first section of what follows from the runs.
  const at = before.includes('\n## ') ? before.indexOf('\n## ') : before.length;
  writeFileSync(file, `${before.slice(0, at).trimEnd()}\n${table.join('\n')}\n${before.slice(at)}`);
}
