// `npm run bench:agent -- <folder>`: what an agent does with the trouble that models make, of Fucina and of the peers installed
// in that folder (as for `npm run bench:peers`): kinds of failure after which the work goes on, vendors' rules for giving
// reasoning back, and a long conversation in a small window. Models are scripted, on the wire that each agent speaks.
// Writes bench/AGENT.md.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import {
  claude,
  createModelServer,
  createVendorServer,
  geminiChat,
  kimi,
  openRouter,
  responses,
} from '../packages/testkit/dist/index.js';
import { build, root } from '../scripts/lib.mjs';
import { FAILURES, failingModel } from './agent-failures.mjs';
import { startBench, tempFolder } from './lib.mjs';
import { connect, ours } from './own-drivers.mjs';
import { peersIn, placeIn } from './peer-drivers.mjs';

/** Longer than our own wait for a silent stream, 120 s. */
const LIMIT_MS = Number(process.env.LIMIT_MS ?? 240_000);
const AT_ONCE = 4;
const WINDOW = { tokens: 32_000, turns: 300, charactersPerToken: 4, answer: 'A sentence of the answer. '.repeat(60) };
const MARKER = 'work-went-on';

/** How each wire is reached by us: the provider, the model, what follows the address. */
const OUR_WIRES = {
  chat: { model: 'together:moonshotai/Kimi-K2-Thinking', path: '/v1' },
  messages: { model: 'zai-anthropic:claude-opus-5-5', path: '/v1' },
  responses: { model: 'openai:gpt-6-sol', path: '/v1' },
};
/** Vendor's rules → wire; the model is one of that vendor's. */
const VENDORS = {
  Claude: { vendor: claude, wire: 'messages', model: 'zai-anthropic:claude-opus-5-5' },
  'GPT through responses': { vendor: responses, wire: 'responses', model: 'openai:gpt-6-sol' },
  Kimi: { vendor: kimi, wire: 'chat', model: 'kimi:kimi-k2.5' },
  OpenRouter: { vendor: openRouter, wire: 'chat', model: 'aggregator:anthropic/claude-opus-5.5' },
  'Gemini in the OpenAI form': { vendor: geminiChat, wire: 'chat', model: 'vertex:google/gemini-3-pro' },
};

const TITLE = `# Trouble around the model, beside the peers

One run of \`npm run bench:agent -- <folder>\` on one machine, every agent against a scripted model on the wire that it speaks,
without a person, without a sandbox. A failure is played once (or as often as its name says), then the model calls a tool and
ends: "yes" where the command ran and the model was asked to its end within ${LIMIT_MS / 1000} seconds. A rule is kept where three
messages with reasoning and calls were answered and no request was refused. In the small window the scripted model counts four
characters of a request as a token and refuses what is longer; Claude Code has no setting for the size of the window.
At a page with status 200 Fucina ends the turn with a sentence and does not repeat: most such pages come from a wrong address.
`;

const folder = resolve(process.argv[2] ?? '.');
build('@fucina/server', '@fucina/cli', '@fucina/testkit');
const peers = peersIn(folder);
const columns = [...Object.keys(OUR_WIRES).map((wire) => ownColumn(wire)), ...peers.flatMap(peerColumns)];

const failures = await inGroups(
  Object.entries(FAILURES).flatMap(([name, failure]) => columns.map((column) => ({ name, failure, column }))),
  async ({ name, failure, column }) => ({ name, column, goesOn: await goesOn(failure, column) }),
);
const rules = await inGroups(
  Object.entries(VENDORS).flatMap(([name, rule]) =>
    [ownColumn(rule.wire, rule.model), ...peers.flatMap(peerColumns)]
      .filter(({ wire }) => wire === rule.wire)
      .map((column) => ({ name, rule, column })),
  ),
  async ({ name, rule, column }) => ({ name, column, ...(await refusalsOf(rule, column)) }),
);
const windows = await inGroups(
  [ownColumn('chat', 'together:bench'), ...peers.flatMap(peerColumns).filter(isUsual)],
  longTalk,
);
report();
process.exit();

function ownColumn(wire, model = OUR_WIRES[wire].model) {
  const { path } = OUR_WIRES[wire];
  const own = ours(root, { model, path });
  return { ...own, name: 'Fucina', wire, once: (place) => ownTurn(place, model, path) };
}

/** A peer on each wire that its settings know. */
function peerColumns(peer) {
  return peer.wires.map((wire) => ({
    ...peer,
    wire,
    start: (place) => peer.start({ ...place, wire, reasons: true }),
    once: (place) => wholeProcess(peer.oneShot({ ...place, wire }), place.project),
  }));
}

/** Of an agent that speaks several wires, the one that most models have. */
function isUsual({ wires, wire }) {
  return wires.length === 1 || wire === 'chat';
}

async function inGroups(jobs, act) {
  const results = [];
  const left = [...jobs.entries()];
  const worker = async () => {
    for (let job = left.shift(); job; job = left.shift()) results[job[0]] = await act(job[1]);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

async function withModel(script, act, more) {
  const data = tempFolder();
  const model = await createModelServer({ script, ...more });
  try {
    return await act(placeIn(data.path, model.url), model);
  } finally {
    await model.close();
    data.remove();
  }
}

/** The agent's own tool, with a command that leaves a file. */
function markingCall({ name, arguments: given }) {
  const text = JSON.stringify(given).replace('echo bench', `touch ${MARKER}`);
  return { name, arguments: JSON.parse(text) };
}

async function goesOn(failure, column) {
  const { script, state } = failingModel(failure, markingCall(column.toolCall));
  return withModel(script, async (place) => {
    const took = await column.once(place);
    return took && state.isFinished && existsSync(join(place.project, MARKER));
  });
}

/** One message of ours, to its end. */
async function ownTurn({ url, home, project }, model, path) {
  const bench = await startBench(undefined, { FUCINA_DATA_DIR: home });
  try {
    await connect(bench, model, `${url}${path}`);
    await bench.start('go', { modello: model, cartellaLibera: project, permessi: 'Full access' });
    for (const until = Date.now() + LIMIT_MS; Date.now() < until; await pause(100)) {
      const [{ conclusa, interrotta }] = (await bench.api('GET', '/sessions')).items;
      if (conclusa || interrotta) return true;
    }
    return false;
  } finally {
    await bench.close();
  }
}

function wholeProcess({ argv: [program, ...args], env }, cwd) {
  const child = spawn(program, args, { env, cwd, stdio: 'ignore', detached: true });
  return new Promise((done) => {
    const late = setTimeout(() => process.kill(-Number(child.pid), 'SIGKILL'), LIMIT_MS);
    child.once('error', () => done(false));
    child.once('exit', (code) => {
      clearTimeout(late);
      done(code === 0);
    });
  });
}

/** Two messages, each with reasoning and calls, then one more. */
async function refusalsOf({ vendor }, column) {
  const { name, arguments: given } = column.toolCall;
  const call = { call: { name, arguments: given } };
  const answers = [
    [{ reasoning: 'First.' }, { text: 'I look.' }, call],
    [{ reasoning: 'Then again.' }, call],
    [{ text: 'Done.' }],
    [{ reasoning: 'More.' }, { text: 'Looking.' }, call],
    [{ text: 'All done.' }],
  ];
  const server = createVendorServer(vendor, answers);
  const script = (request) => (request.body.tools?.length ? server.script(request) : { text: 'Title' });
  return withModel(script, async (place) => {
    const isDone = await turnsOf(column, place, 3);
    return { holds: isDone === 3 && server.refusals.length === 0, refusal: server.refusals[0] };
  });
}

async function longTalk(column) {
  let refused = 0;
  const limit = WINDOW.tokens * WINDOW.charactersPerToken;
  const script = ({ body }) => {
    if (JSON.stringify(body).length <= limit) return { text: WINDOW.answer, usage: usageOf(body) };
    refused += 1;
    return { fault: { kind: 'context-too-long' } };
  };
  const more = { models: ['bench'], modelFacts: { context_length: WINDOW.tokens } };
  return withModel(
    script,
    async (place) => {
      const turns = await turnsOf(column, { ...place, window: WINDOW.tokens }, WINDOW.turns);
      return { column, turns, refused };
    },
    more,
  );
}

function usageOf(body) {
  const promptTokens = Math.ceil(JSON.stringify(body).length / WINDOW.charactersPerToken);
  return { promptTokens, completionTokens: Math.ceil(WINDOW.answer.length / WINDOW.charactersPerToken) };
}

/** How many turns had an answer. */
async function turnsOf(column, place, count) {
  let done = 0;
  let agent;
  try {
    agent = await within(column.start(place));
    for (; done < count; done += 1) await within(agent.turn());
  } catch (error) {
    console.log(`${column.name}, ${column.wire}: ${error.message}`);
  } finally {
    await agent?.stop();
  }
  return done;
}

function within(promise) {
  const late = new Promise((_done, fail) => setTimeout(() => fail(new Error('no answer in time')), LIMIT_MS).unref());
  return Promise.race([promise, late]);
}

function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}

function report() {
  const names = columns.map(({ name, wire }) => `${name}, ${wire}`);
  const heading = `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, ${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}, commit ${commit()}; ${peers.map(({ name, version }) => `${name} ${version}`).join(', ') || 'no peer'}.`;
  const rowsOf = (name) => failures.filter((row) => row.name === name);
  const counts = columns.map((column) => failures.filter((row) => row.column === column && row.goesOn).length);
  const table = (head, rows) => [
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ];
  const text = [
    TITLE,
    heading,
    '',
    '## Failures after which the work goes on',
    '',
    ...table(
      ['failure', ...names],
      [
        ...Object.keys(FAILURES).map((name) => [
          name,
          ...rowsOf(name).map(({ goesOn }) => (goesOn ? 'yes' : '**no**')),
        ]),
        [`of ${Object.keys(FAILURES).length}`, ...counts],
      ],
    ),
    '',
    "## Vendors' rules for giving reasoning back",
    '',
    ...table(
      ['rules of', 'agent', 'kept'],
      rules.map(({ name, column, holds, refusal }) => [
        name,
        column.name,
        holds ? 'yes' : `**no**: ${(refusal ?? 'no answer').slice(0, 120)}`,
      ]),
    ),
    '',
    `## ${WINDOW.turns} turns of text in a window of ${WINDOW.tokens} tokens`,
    '',
    ...table(
      ['agent', 'turns answered', 'requests refused'],
      windows.map(({ column, turns, refused }) => [column.name, turns, refused]),
    ),
    '',
  ].join('\n');
  writeFileSync(join(root, 'bench/AGENT.md'), text);
  console.log(text);
}

function commit() {
  return execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
}
