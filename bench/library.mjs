// 100,000 notes: looked for by words that are everywhere, somewhere and nowhere, and listed.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { call, median, nowMs, quantile, round, startBench } from './lib.mjs';

const NOTES = 100_000;
const WORDS_EACH = 60;
const READS = 200;

export async function run() {
  const bench = await startBench();
  try {
    await bench.api('POST', '/me/notes', { titolo: 'first', contenuto: 'makes the store' });
    await fill(bench.dataDir);
    // Connections that the server closed meanwhile are noticed first.
    await new Promise((done) => setTimeout(done, 50));
    const common = await times(bench, (index) => `cerca=${wordOf(index)}&limite=50`);
    const rare = await times(bench, (index) => `cerca=numero-${(index * 499) % NOTES}&limite=50`);
    const absent = await times(bench, (index) => `cerca=absent${index}&limite=50`);
    const short = await times(bench, (index) => `cerca=${wordOf(index).slice(0, 2)}&limite=50`);
    const newest = await times(bench, () => 'limite=50');
    const at = nowMs();
    await call(bench.port, 'GET', '/me/notes');
    const whole = nowMs() - at;
    const row = (figure, list, bar) => ({
      figure,
      value: `${round(median(list))} / ${round(quantile(list, 0.95))}`,
      bar,
      method: `${READS} requests, 50 notes each at most`,
    });
    return [
      row('100,000 notes: a common word, ms p50 / p95', common, '≤ 20'),
      row('100,000 notes: one note among them, ms p50 / p95', rare, '≤ 20'),
      row('100,000 notes: a text nobody wrote, ms p50 / p95', absent, '≤ 20'),
      row('100,000 notes: two letters, ms p50 / p95', short, '≤ 20'),
      row('100,000 notes: the newest 50, ms p50 / p95', newest, '≤ 20'),
      {
        figure: '100,000 notes: the whole list, ms',
        value: Math.round(whole),
        bar: '–',
        method: 'one request, about 55 MB, parsed by the client',
      },
    ];
  } finally {
    await bench.close();
  }
}

const SYLLABLES = ['fer', 'ro', 'in', 'cu', 'di', 'ne', 'mar', 'tel', 'lo', 'fuo', 'co', 'bra', 'ce', 'ti', 'zo', 'ne'];
/** One of some two thousand words, the first ones in far more notes than the last ones. */
function wordOf(index) {
  const pick = (shift) => SYLLABLES[(index * 7 + shift * (index + 3)) % SYLLABLES.length];
  return `${pick(1)}${pick(2)}${pick(3)}`;
}

async function fill(dataDir) {
  const { sqliteDriver } = await import('../packages/shared/dist/testing.js');
  const db = new (sqliteDriver())(join(dataDir, 'library.db'));
  const insert = db.prepare(
    `INSERT INTO notes (id, title, content, chosen_format, origin, created_at, updated_at)
     VALUES (?, ?, ?, NULL, 'person', ?, ?)`,
  );
  db.transaction(() => {
    for (let index = 0; index < NOTES; index += 1) {
      const words = Array.from({ length: WORDS_EACH }, (_, at) => wordOf((index * 31 + at * at * 17) % 2_048));
      insert.run(randomUUID(), `${words[0]} numero-${index}`, words.join(' '), index, index);
    }
  })();
  db.close();
}

async function times({ port }, queryOf) {
  const taken = [];
  for (let index = 0; index < READS; index += 1) {
    const at = nowMs();
    await call(port, 'GET', `/me/notes?${queryOf(index)}`);
    taken.push(nowMs() - at);
  }
  return taken;
}
