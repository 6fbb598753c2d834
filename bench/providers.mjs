// The package that speaks to providers: what it costs to load, what it adds to a raw request, how fast each wire is read,
// and a catalog of 5,000 models. The scripted model is a process of its own.
import { execFileSync } from 'node:child_process';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../scripts/lib.mjs';
import { call, median, nowMs, quantile, round, startBench, startNode, tempFolder } from './lib.mjs';

const FIRST_TOKENS = 120;
const BURST = 20_000;
const BURSTS = 5;
const MODELS = 5_000;
const READS = 40;
const GEMINI = 'https://generativelanguage.googleapis.com';
const WIRES = [
  ['chat completions', 'deepseek', '/v1/chat/completions'],
  ['OpenAI responses', 'openai', '/v1/responses'],
  ['Anthropic messages', 'zai-anthropic', '/v1/messages'],
  ['Gemini', 'gemini', '/v1beta/models/bench:streamGenerateContent?alt=sse'],
];

export async function run() {
  return [...importCost(), ...(await firstTokens()), ...(await bursts()), ...(await catalog())];
}

function importCost() {
  const file = pathToFileURL(join(root, 'packages/providers/dist/index.js')).href;
  const program = `const r=process.memoryUsage().rss,t=performance.now();await import(${JSON.stringify(file)});
    console.log(JSON.stringify({ms:performance.now()-t,mib:(process.memoryUsage().rss-r)/1048576}))`;
  const costs = Array.from({ length: 9 }, () =>
    JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })),
  );
  return [
    {
      figure: 'providers: import of the package, ms',
      value: round(median(costs.map(({ ms }) => ms))),
      bar: '–',
      method: 'median of 9 processes, built package',
    },
    {
      figure: 'providers: import of the package, MiB',
      value: round(median(costs.map(({ mib }) => mib))),
      bar: '–',
      method: 'the same runs, resident memory',
    },
  ];
}

/** The built package with a key and an address for each wire. */
async function open(scenario) {
  const load = (name, from = 'packages') => import(pathToFileURL(join(root, from, name, 'dist/index.js')).href);
  const [{ createProviders }, { createOutboundHttp, systemAmbient }] = await Promise.all([
    load('providers'),
    load('shared'),
  ]);
  const model = await startNode('packages/testkit/dist/model-server-main.js', { args: [scenario] });
  const { url } = model.ready;
  const data = tempFolder();
  const ambient = systemAmbient('silent');
  const out = createOutboundHttp({ ambient });
  // Gemini's address is fixed: its requests are sent to the scripted model instead.
  const http = {
    ...out,
    send: (asked) =>
      out.send(asked.url.startsWith(GEMINI) ? { ...asked, url: url + asked.url.slice(GEMINI.length) } : asked),
  };
  const providers = createProviders({ ambient, dataDir: data.path, keyStore: 'memory', http, publicCatalog: false });
  for (const [, provider] of WIRES) {
    if (provider !== 'gemini') providers.runtime.change(provider, { endpoint: `${url}/v1` });
    await providers.keys.add(provider, { key: `key-of-${provider}` });
  }
  return {
    url,
    providers,
    async close() {
      await providers[Symbol.asyncDispose]();
      await out[Symbol.asyncDispose]();
      await model.stop();
      data.remove();
    },
  };
}

const question = (provider) => ({
  model: `${provider}:bench`,
  system: ['Be short.'],
  messages: [{ role: 'user', content: [{ type: 'text', text: 'go' }] }],
  tools: [],
});

async function firstTokens() {
  const bench = await open('hello');
  try {
    const rows = [];
    for (const [name, provider, path] of WIRES) {
      const [raw, ours] = [[], []];
      for (let index = 0; index < FIRST_TOKENS; index += 1) {
        raw.push(await rawFirst(bench.url + path));
        ours.push(await ourFirst(bench.providers, provider));
      }
      const warm = (times) => median(times.slice(20));
      rows.push({
        figure: `first token over a raw request, ${name}, ms`,
        value: round(warm(ours) - warm(raw), 2),
        bar: '≤ 3',
        method: `${FIRST_TOKENS - 20} of each in turns after 20, medians; raw is node:http with a kept connection`,
      });
    }
    return rows;
  } finally {
    await bench.close();
  }
}

function rawFirst(url) {
  const startedAt = nowMs();
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } }, (response) => {
      let firstMs;
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
        if (text.includes('Hello')) firstMs ??= nowMs() - startedAt;
      });
      response.on('end', () => resolve(firstMs));
    });
    sent.on('error', reject);
    sent.end('{"model":"bench","stream":true,"messages":[]}');
  });
}

async function ourFirst({ client }, provider) {
  const startedAt = nowMs();
  let firstMs;
  for await (const batch of client.stream(question(provider), new AbortController().signal)) {
    if (batch.some(({ type }) => type === 'text')) firstMs ??= nowMs() - startedAt;
  }
  return firstMs;
}

async function bursts() {
  const bench = await open(`burst-${BURST}`);
  try {
    const rows = [];
    for (const [name, provider] of WIRES) {
      const rates = [];
      for (let index = 0; index < BURSTS; index += 1) rates.push(await burst(bench.providers, provider));
      rows.push({
        figure: `deltas read, ${name}, deltas/s`,
        value: Math.round(median(rates)).toLocaleString('en'),
        bar: '–',
        method: `${BURST.toLocaleString('en')} deltas, median of ${BURSTS}, request to end at the caller`,
      });
    }
    return rows;
  } finally {
    await bench.close();
  }
}

async function burst({ client }, provider) {
  const startedAt = nowMs();
  let count = 0;
  for await (const batch of client.stream(question(provider), new AbortController().signal)) {
    for (const { type } of batch) if (type === 'text') count += 1;
  }
  if (count !== BURST) throw new Error(`${provider}: ${count} deltas`);
  return (count * 1_000) / (nowMs() - startedAt);
}

async function catalog() {
  const data = Array.from({ length: MODELS }, (_, index) => ({
    id: `vendor/model-${index}`,
    context_length: 128_000,
    architecture: { input_modalities: ['text', 'image'] },
    supported_parameters: ['tools', 'reasoning'],
    pricing: { prompt: '0.000001', completion: '0.000002' },
  }));
  const server = createServer((_request, response) => response.end(JSON.stringify({ data })));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const bench = await startBench();
  try {
    const endpoint = `http://127.0.0.1:${server.address().port}/v1`;
    await bench.api('POST', '/providers/together/runtime', { endpoint });
    await bench.api('POST', '/providers/together/key', { key: 'key-of-together' });
    const times = [];
    for (let index = 0; index < READS; index += 1) {
      const startedAt = nowMs();
      const { data: answer } = await call(bench.port, 'GET', '/models');
      times.push(nowMs() - startedAt);
      if (answer.modelli.length !== MODELS) throw new Error(`${answer.modelli.length} models`);
    }
    const method = `${READS - 1} reads after the first, parsed by the client`;
    return [
      { figure: 'catalog of 5,000 models, ms p50', value: round(median(times.slice(1))), bar: '≤ 20', method },
      {
        figure: 'catalog of 5,000 models, ms p95',
        value: round(quantile(times.slice(1), 0.95)),
        bar: '–',
        method: 'the same run',
      },
    ];
  } finally {
    await bench.close();
    server.close();
  }
}
