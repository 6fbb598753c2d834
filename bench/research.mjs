// A library of 10,000 items, a report of 200 sources carried away, the words of a paper of 500 pages.
import { randomUUID } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { call, median, nowMs, peakMiB, pssMiB, quantile, receive, round, startBench, TOKEN } from './lib.mjs';

const ITEMS = 10_000;
const SOURCES = 200;
const READS = 10;
const LISTS = 60;
const DAY = '2026-01-01T00:00:00.000Z';

export async function run() {
  const bench = await startBench({ rules: RULES });
  try {
    const session = await bench.start('hello');
    fillLibrary(bench.project);
    const listed = await listLibrary(bench, session);
    const id = fillResearch(bench.project);
    const pdf = await repeated(READS, () =>
      bytes(bench.port, `/sessions/${session}/research/${id}/esporta?formato=pdf`),
    );
    const docx = await repeated(3, () => bytes(bench.port, `/sessions/${session}/research/${id}/esporta?formato=docx`));
    const paper = await readPaper(bench);
    return [
      ...listed,
      {
        figure: 'report of 200 sources as pdf, ms p50',
        value: round(median(pdf), 0),
        bar: '≤ 3,000',
        method: `${READS} exports, 60 claims, in a worker that starts each time`,
      },
      { figure: 'report of 200 sources as docx, ms p50', value: round(median(docx), 0), bar: '–', method: '3 exports' },
      {
        figure: 'words of a PDF of 500 pages, s',
        value: round(paper.seconds, 1),
        bar: '–',
        method: 'a whole turn: library_search reads it out for the first time',
      },
      {
        figure: 'words of a PDF of 500 pages, MiB at most beside the server',
        value: round(paper.addedMiB, 0),
        bar: '≤ 768',
        method: 'highest memory of the process, worker and buffers included',
      },
    ];
  } finally {
    await bench.close();
  }
}

/** The list as it is asked for again and again, and what stands beside it: the facts of as many files, and the bytes alone. */
async function listLibrary(bench, session) {
  const path = `/sessions/${session}/library`;
  // Connections that the server closed meanwhile are noticed first.
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  await pause(50);
  const [first] = await repeated(1, () => receive(bench.port, path));
  await receive(bench.port, path);
  // The watch begins in the background, and everything is read once more.
  await pause(1_000);
  await receive(bench.port, path);
  const again = await repeated(LISTS, () => receive(bench.port, path));
  const parsed = await repeated(LISTS, () => call(bench.port, 'GET', path));
  const files = readdirSync(join(bench.project, '.svc/library'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(bench.project, '.svc/library', name, 'meta.json'));
  const changed = await repeated(LISTS, async (index) => {
    const text = readFileSync(files[index], 'utf8');
    writeFileSync(files[index], text.replace('item-', 'changed-'));
    await receive(bench.port, path);
  });
  const facts = await repeated(LISTS, () => files.forEach((file) => lstatSync(file)));
  const { data } = await call(bench.port, 'GET', path);
  const bare = await bareServer(Buffer.from(JSON.stringify(data)));
  const alone = await repeated(LISTS, () => receive(bare.port, path));
  bare.close();
  const row = (figure, taken, method) => ({
    figure: `library of 10,000 items, ${figure}, ms p50 / p95`,
    value: `${round(median(taken), 1)} / ${round(quantile(taken, 0.95), 1)}`,
    bar: taken === again ? '≤ 30' : '–',
    method: `${taken.length} reads, ${method}`,
  });
  return [
    {
      figure: 'library of 10,000 items, first list, ms',
      value: round(first, 0),
      bar: '–',
      method: 'every file is read',
    },
    row('list', again, 'each item a file of its own on the disk; received, not parsed'),
    row('list parsed by the client', parsed, 'the same list'),
    row('list after a change by another process', changed, 'the change of one file included; received'),
    row('facts of the same files by Node', facts, 'lstat of each, nothing else'),
    row('the bytes alone', alone, 'the same bytes from one buffer, by plain Node in the process of the client'),
  ];
}

async function bareServer(body) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': body.length }).end(body);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { port: server.address().port, close: () => server.close() };
}

const WORDS = 'the smith heats the steel slowly and cools it in oil so that it does not crack '.repeat(40);
const RULES = [
  { when: { lastRole: 'tool' }, reply: { text: 'Done.' } },
  {
    when: { includes: 'make the paper' },
    reply: {
      toolCalls: [
        {
          name: 'document_create',
          arguments: {
            format: 'pdf',
            title: 'Paper',
            report: {
              blocks: Array.from({ length: 199 }, (_, at) => [
                { type: 'p', text: `Page ${at}. ${WORDS}${WORDS}` },
                { type: 'pb' },
              ]).flat(),
            },
          },
        },
      ],
    },
  },
  {
    when: { includes: 'find the paper' },
    reply: { toolCalls: [{ name: 'library_search', arguments: { query: 'smith' } }] },
  },
  { reply: { text: 'Hello.' } },
];

async function repeated(times, act) {
  const taken = [];
  for (let index = 0; index < times; index += 1) {
    const at = nowMs();
    await act(index);
    taken.push(nowMs() - at);
  }
  return taken;
}

function bytes(port, path) {
  return new Promise((resolve, reject) => {
    const headers = { cookie: `svc_token=${TOKEN}` };
    request({ port, host: '127.0.0.1', path: `/api/v1${path}`, headers }, (response) => {
      let size = 0;
      response.on('data', (chunk) => {
        size += chunk.length;
      });
      response.on('end', () => (response.statusCode === 200 ? resolve(size) : reject(new Error(`${path}: refused`))));
    })
      .on('error', reject)
      .end();
  });
}

function fillLibrary(project) {
  for (let index = 0; index < ITEMS; index += 1) {
    const id = `lib-${randomUUID()}`;
    const folder = join(project, '.svc/library', id);
    mkdirSync(folder, { recursive: true });
    const meta = { id, nome: `item-${index}.png`, mediaType: 'image/png', creatoIl: DAY, aggiornatoIl: DAY, file: 'a' };
    writeFileSync(join(folder, 'meta.json'), JSON.stringify(meta));
  }
}

function fillResearch(project) {
  const id = randomUUID();
  const folder = join(project, '.svc/research', id);
  mkdirSync(folder, { recursive: true });
  const facts = { titolo: 'Steel', reportLibraryId: null, ultimoMessaggio: null, motivoDettaglio: null, padreId: null };
  const meta = { formato: 2, id, domanda: 'Steel?', profondita: 'deep', avviataAlle: DAY, aggiornataAlle: DAY };
  writeFileSync(
    join(folder, 'meta.json'),
    JSON.stringify({ ...meta, ...facts, terminata: 'done', conclusaAlle: DAY, nome: null }),
  );
  const sources = Array.from({ length: SOURCES }, (_, at) => ({
    url: `https://forge.example/${at}`,
    title: `Source number ${at} on the heat of steel`,
    publishedAt: null,
    obtained: 'page',
  }));
  const claims = Array.from({ length: 60 }, (_, at) => ({
    text: `Claim ${at}: ${WORDS.slice(0, 120)}`,
    sourceIndex: at + 1,
    passage: WORDS.slice(0, 160),
    checks: { claimSupported: 'supported' },
  }));
  const record = { version: 1, question: 'Steel?', summary: WORDS.slice(0, 300), judge: null, claims, sources };
  const body = Array.from({ length: 60 }, (_, at) => `## Part ${at}\n\n${WORDS} [${at + 1}] [${at + 100}]`).join(
    '\n\n',
  );
  writeFileSync(
    join(folder, 'rapporto.md'),
    `# Steel\n\n${body}\n\n\`\`\`svc-research-record\n${JSON.stringify(record)}\n\`\`\`\n`,
  );
  return id;
}

async function readPaper(bench) {
  const turn = async (consegna) => {
    const id = await bench.start(consegna);
    while (!(await bench.api('GET', '/sessions')).items.find(({ sessionId }) => sessionId === id)?.conclusa)
      await new Promise((done) => setTimeout(done, 20));
  };
  await turn('make the paper');
  const before = pssMiB(bench.pid);
  const at = nowMs();
  await turn('find the paper');
  return { seconds: (nowMs() - at) / 1_000, addedMiB: Math.max(0, peakMiB(bench.pid) - before) };
}
