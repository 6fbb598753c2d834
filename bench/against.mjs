// `node bench/against.mjs <checkout>`: turns of this build beside those of another checkout that was built (`npm run build`
// there), in turns, each round in another order, against a scripted model without latency. Prints the median of each
// round's lower quartile: what a user waits for on a computer that does nothing else.
import { createModelServer, SCENARIOS, scriptOf } from '../packages/testkit/dist/index.js';
import { build, root } from '../scripts/lib.mjs';
import { median, quantile, round, tempFolder } from './lib.mjs';
import { ours } from './own-drivers.mjs';
import { placeIn } from './peer-drivers.mjs';

const ROUNDS = Number(process.env.ROUNDS ?? 12);
const TURNS = 12;
const PAUSE_MS = Number(process.env.PAUSE_MS ?? 20);
const KINDS = [
  ['text turn', 'hello', 'Full access'],
  ['turn with one tool call, Full access', 'tool-turn', 'Full access'],
  ['turn with one tool call, in the sandbox', 'tool-turn', 'Workspace write'],
];

const other = process.argv[2];
if (!other) throw new Error('name the folder of another checkout');
build('@fucina/server', '@fucina/testkit');
for (const [name, scenario, permissions] of KINDS) {
  const [now, before] = await Promise.all([root, other].map((from) => started(from, scenario, permissions)));
  const times = { now: [], before: [] };
  await quartile(now);
  await quartile(before);
  for (let at = 0; at < ROUNDS; at += 1) {
    const pair = [() => quartile(now), () => quartile(before)];
    if (at % 2 === 1) times.before.push(await pair[1]());
    times.now.push(await pair[0]());
    if (at % 2 === 0) times.before.push(await pair[1]());
  }
  const [a, b] = [median(times.now), median(times.before)];
  console.log(`${name}: ${round(a)} ms, there ${round(b)} ms, ${round(a / b, 2)} ×`);
  await now.stop();
  await before.stop();
}
process.exit();

async function started(from, scenario, permissions) {
  const data = tempFolder();
  const model = await createModelServer({ script: scriptOf(SCENARIOS[scenario]) });
  const agent = await ours(from, { permissions }).start(placeIn(data.path, model.url));
  return {
    turn: agent.turn,
    async stop() {
      await agent.stop();
      await model.close();
      data.remove();
    },
  };
}

async function quartile({ turn }) {
  const times = [];
  for (let at = 0; at < TURNS; at += 1) {
    times.push(await turn());
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
  return quantile(times, 0.25);
}
