// What a turn's prompt holds besides the conversation, with the tools of all domains, and how much of a request a provider can
// serve from its cache: what it has in common with the beginning of the request before.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../scripts/lib.mjs';
import { call, round, startBench } from './lib.mjs';

const TURNS = 30;
/** Three tools are found, and the permissions change twice. */
const FINDING_TURNS = [5, 12, 21];
const CHANGES = { 9: 'Read only', 17: 'Workspace write' };
const PAUSE_MS = 20;

export async function run() {
  const { createModelServer } = await import(pathToFileURL(join(root, 'packages/testkit/dist/index.js')).href);
  const model = await createModelServer({ script: () => ({ text: 'Hello.' }) });
  const bench = await startBench();
  try {
    await bench.api('POST', '/providers/ollama/runtime', { endpoint: model.url, timeoutSeconds: 60 });
    const id = await bench.start();
    await over(bench, id);
    for (let turn = 2; turn <= TURNS; turn += 1) {
      if (FINDING_TURNS.includes(turn)) model.script(findsFirst());
      if (CHANGES[turn]) await call(bench.port, 'POST', `/sessions/${id}/settings`, { permessi: CHANGES[turn] });
      await call(bench.port, 'POST', `/sessions/${id}/resume`, { messaggio: 'And now?' });
      await over(bench, id);
    }
    return rows(await facts(bench, id), sharesOf(model.requests));
  } finally {
    await bench.close();
    await model[Symbol.asyncDispose]();
  }
}

function findsFirst() {
  let hasFound = false;
  return () => {
    if (hasFound) return { text: 'Hello.' };
    hasFound = true;
    return { toolCalls: [{ name: 'find_tools', arguments: { query: 'write a note' } }] };
  };
}

async function facts(bench, id) {
  const { eventi } = await bench.api('GET', `/sessions/${id}/export`);
  const { value } = eventi.find(({ name }) => name === 'svc.contesto-richiesta');
  const tokens = Object.fromEntries(value.ripartizione.categorie.map((part) => [part.id, part.tokens]));
  const { attrezzi } = await bench.api('GET', `/sessions/${id}/tools`);
  const inFull = attrezzi.reduce((sum, { tokenSchemaStimati }) => sum + tokenSchemaStimati, 0);
  const system = tokens.system + tokens.rules;
  return { system, tools: tokens.tools + tokens.mcp, inFull, count: attrezzi.length };
}

/** In the order in which providers read and cache: tools, then messages. */
function sharesOf(requests) {
  const prompts = requests
    .filter(({ wire }) => wire === 'openai-chat')
    .map(({ body }) => Buffer.from([...body.tools, ...body.messages].map((part) => JSON.stringify(part)).join('\n')));
  return prompts.slice(1).map((prompt, index) => {
    const before = prompts[index];
    let same = 0;
    while (same < before.length && before[same] === prompt[same]) same += 1;
    return { same, size: prompt.length, isWhole: same === before.length };
  });
}

function rows({ system, tools, inFull, count }, shares) {
  const percent = (parts) =>
    round((100 * parts.reduce((sum, { same }) => sum + same, 0)) / parts.reduce((sum, { size }) => sum + size, 0));
  const method = `${TURNS} turns, in three a tool is found, before two the permissions change; bytes of tools and messages`;
  return [
    {
      figure: 'one turn’s prompt with the tools of all domains, tokens',
      value: system + tools,
      bar: '≤ 3000',
      method: `the product’s estimate of the first request without the conversation: ${system} of the system prompt, ${tools} of tools; with all ${count} tools in full it would be ${system + inFull}`,
    },
    {
      figure: 'second request’s prompt that equals the first’s, %',
      value: percent(shares.slice(0, 1)),
      bar: '–',
      method: `${shares[0].isWhole ? 'all of the first request; the rest is new' : 'a part of the first request'}; bytes of tools and messages`,
    },
    {
      figure: 'the same over all requests of a session, %',
      value: percent(shares),
      bar: '≥ 97',
      method: `${method}; ${shares.filter(({ isWhole }) => isWhole).length} of ${shares.length} requests begin with the whole request before`,
    },
  ];
}

async function over({ api }, id) {
  for (;;) {
    const { items } = await api('GET', '/sessions');
    if (items.find(({ sessionId }) => sessionId === id).conclusa) return;
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
}
