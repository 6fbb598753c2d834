// One command, one table: `npm run bench` (or `-- start list` for some). Writes bench/RESULTS.md and results/latest.json.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { build, root } from '../scripts/lib.mjs';

const ALL = [
  'start',
  'turn',
  'burst',
  'paced',
  'list',
  'replay',
  'clients',
  'flood',
  'providers',
  'library',
  'research',
  'files',
  'git',
  'cli',
  'window',
];
const wanted = process.argv.slice(2).filter((name) => ALL.includes(name));
build();

const rows = [];
for (const name of wanted.length ? wanted : ALL) {
  const { run } = await import(`./${name}.mjs`);
  for (const row of await run()) {
    rows.push(row);
    console.log(`${row.figure.padEnd(58)} ${String(row.value).padStart(12)}   bar ${row.bar}`);
  }
}

const machine = {
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGiB: Math.round(totalmem() / 1024 ** 3),
  node: process.version,
  platform: process.platform,
};
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
const at = new Date().toISOString().slice(0, 10);
if (!wanted.length) {
  mkdirSync(join(root, 'bench/results'), { recursive: true });
  writeFileSync(join(root, 'bench/results/latest.json'), `${JSON.stringify({ at, commit, machine, rows }, null, 2)}\n`);
  writeFileSync(join(root, 'bench/RESULTS.md'), table());
}

function table() {
  const lines = rows.map(
    ({ figure, value, bar, peers, method }) => `| ${figure} | **${value}** | ${bar} | ${peers ?? '–'} | ${method} |`,
  );
  return `# Measured

${at}, commit ${commit}, ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}. Every figure comes from \`npm run bench\`:
the built server, a scripted model without latency and the client are three processes on this machine. Machines are noisy: compare within one run. Figures of
peers were measured on another machine of the same size; they are a bar, not a race.

| figure | ours | bar | peers | how |
|---|---|---|---|---|
${lines.join('\n')}
`;
}
