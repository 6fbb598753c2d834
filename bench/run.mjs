// One command, one table: `npm run bench` (or `-- start list` for some; `-- long` for the suites of minutes). Writes bench/RESULTS.md and results/latest.json.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { build, root } from '../scripts/lib.mjs';

const ALL = [
  'start',
  'turn',
  'limits',
  'prompt',
  'diagnostics',
  'map',
  'burst',
  'paced',
  'list',
  'replay',
  'clients',
  'flood',
  'day',
  'providers',
  'library',
  'research',
  'workflows',
  'terminals',
  'automations',
  'mcp',
  'browser',
  'hub',
  'local',
  'files',
  'large',
  'git',
  'worktrees',
  'cli',
  'screen',
  'window',
];
const wanted = process.argv.slice(2).filter((name) => ALL.includes(name) || name === 'long');
build();

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
const at = new Date().toISOString().slice(0, 10);
const measured = [];
for (const name of wanted.length ? wanted : ALL) {
  const { run } = await import(`./${name}.mjs`);
  for (const row of await run()) {
    measured.push({ ...row, group: name, commit, at });
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
const rows = merged();
mkdirSync(join(root, 'bench/results'), { recursive: true });
writeFileSync(join(root, 'bench/results/latest.json'), `${JSON.stringify({ machine, rows }, null, 2)}\n`);
writeFileSync(join(root, 'bench/RESULTS.md'), `${table()}${sections()}`);

/** What was measured anew takes the place of its group; the others stay as they were, each with its commit. */
function merged() {
  const file = join(root, 'bench/results/latest.json');
  if (!existsSync(file)) return measured;
  const groups = new Set(measured.map(({ group }) => group));
  const kept = JSON.parse(readFileSync(file, 'utf8')).rows.filter(({ group }) => !groups.has(group));
  const order = [...ALL, 'long'];
  return [...kept, ...measured].sort((one, other) => order.indexOf(one.group) - order.indexOf(other.group));
}

/** What is written by hand below the table. */
function sections() {
  const before = readFileSync(join(root, 'bench/RESULTS.md'), 'utf8');
  const at = before.indexOf('\n## ');
  return at < 0 ? '' : before.slice(at);
}

function table() {
  const lines = rows.map(
    (row) =>
      `| ${row.figure} | **${row.value}** | ${row.bar} | ${row.peers ?? '–'} | ${row.method} | ${row.commit}, ${row.at} |`,
  );
  return `# Measured

${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB, Node ${machine.node}. Every figure comes from \`npm run bench\`:
the built server, a scripted model without latency and the client are three processes on this machine. Machines are noisy: compare within one run, which is
rows of the same commit and day. Figures of peers were measured on another machine of the same size; they are a bar, not a race.
Ratios to peers in one run, on one machine: [PEERS.md](PEERS.md).

| figure | ours | bar | peers | how | commit |
|---|---|---|---|---|---|
${lines.join('\n')}
`;
}
