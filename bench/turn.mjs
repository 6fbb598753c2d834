// Turns of an existing session: text alone, one shell call with a final text, inside the sandbox and without one, and the same in a
// large folder.
import { call, fillFolder, follow, median, nowMs, quantile, round, startBench } from './lib.mjs';

const RUNS = 40;
const WARM = 5;

export async function run() {
  return [...(await textTurn()), ...(await toolTurn()), ...(await largeFolderTurn())];
}

async function textTurn() {
  const bench = await startBench('hello');
  try {
    const id = await bench.start();
    const times = await turns(bench, id);
    return [
      {
        figure: 'text turn, ms p50',
        value: round(median(times)),
        bar: '≤ 4',
        peers: 'pi 4.4',
        method: `existing session, ${times.length} turns after ${WARM}, request to RunFinished at the client, fsync on every commit`,
      },
    ];
  } finally {
    await bench.close();
  }
}

async function toolTurn() {
  const bench = await startBench('tool-turn');
  try {
    const id = await bench.start();
    const boxed = await turns(bench, id);
    await call(bench.port, 'POST', `/sessions/${id}/settings`, { permessi: 'Full access' });
    const free = await turns(bench, id);
    return [
      {
        figure: 'turn with one tool call, ms p50',
        value: round(median(free)),
        bar: '≤ 8',
        peers: 'pi 12–22, Claude Code 75, Codex 106–139, opencode 221–240',
        method: 'the same with a real shell (`echo bench`) at Full access, as the peers measured run it: no sandbox',
      },
      { figure: 'the same, ms p95', value: round(quantile(free, 0.95)), bar: '–', method: 'the same turns' },
      {
        figure: 'the same inside the sandbox, ms p50',
        value: round(median(boxed)),
        bar: '–',
        peers: 'Codex 106–139 (its own sandbox)',
        method: 'Workspace write: bubblewrap, a sandbox of its own for each command, made ahead where one waits',
      },
    ];
  } finally {
    await bench.close();
  }
}

/** What a command changed is found by looking at every file before and after it. */
async function largeFolderTurn() {
  const bench = await startBench('tool-turn');
  try {
    fillFolder(bench.project);
    const id = await bench.start();
    await call(bench.port, 'POST', `/sessions/${id}/settings`, { permessi: 'Full access' });
    return [
      {
        figure: 'turn with one tool call in a folder of 5,000 files, ms p50',
        value: round(median(await turns(bench, id))),
        bar: '–',
        method: 'the same at Full access; `echo bench` changes nothing, which has to be found out',
      },
    ];
  } finally {
    await bench.close();
  }
}

async function turns(bench, id) {
  const rests = async () => {
    while (!(await bench.api('GET', '/sessions')).items[0].conclusa) await new Promise((done) => setImmediate(done));
  };
  await rests();
  let after = (await bench.api('GET', `/sessions/${id}/export`)).eventi.length;
  const times = [];
  for (let index = 0; index < RUNS + WARM; index += 1) {
    await rests();
    const opened = withResolvers();
    const over = finished(bench.port, id, { after, onReplayed: opened.resolve });
    await opened.promise;
    const startedAt = nowMs();
    await call(bench.port, 'POST', `/sessions/${id}/resume`, { messaggio: 'again' });
    const end = await over;
    after = end.last;
    times.push(end.at - startedAt);
  }
  return times.slice(WARM);
}

function withResolvers() {
  let resolve;
  const promise = new Promise((done) => (resolve = done));
  return { promise, resolve };
}

/** The sequence of the turn's last event, and when it came. */
async function finished(port, id, { after, onReplayed }) {
  let last = after;
  let at = 0;
  await follow(
    port,
    id,
    (data) => {
      last = /"_sequenza":(\d+)/.exec(data)?.[1] ?? last;
      if (data.includes('svc.fine-rigiocata')) onReplayed();
      at = nowMs();
      return data.startsWith('{"type":"RunFinished"');
    },
    after,
  );
  return { last: Number(last), at };
}
