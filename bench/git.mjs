// State and difference of a repository of 50,000 files with 5,000 changes, over HTTP, by plain git, and by a bare server
// that answers what git prints, in turn.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { call, median, nowMs, receive, round, startBench, startNode } from './lib.mjs';

const FOLDERS = 500;
const FILES = 100;
const CHANGES = 5_000;
const RUNS = 31;

export async function run() {
  const bench = await startBench('hello');
  let server;
  try {
    const id = await bench.start('Look at the repository');
    while ((await bench.api('GET', '/sessions')).items.some((item) => !item.conclusa)) await new Promise(setImmediate);
    const git = makeRepository(bench.project);
    server = await startNode('bench/bare-git.mjs', { args: [bench.project] });
    const bare =
      (...args) =>
      () =>
        receive(server.ready.port, `/?${encodeURIComponent(JSON.stringify(args))}`);
    const ours = (path) => () => call(bench.port, 'GET', `/sessions/${id}/git/${path}`);
    const file = 'd7/f3.txt';
    await ours('branch')().catch(() => undefined); // the connection has been idle for too long
    const state = await ours('status')();
    if (state.data.riepilogo.totale !== CHANGES) throw new Error('the state is not what it should be');
    return [
      ...(await compare('git state of 50,000 files, 5,000 changed', {
        ours: ours('status'),
        plain: () => git('status', '--porcelain=v2', '-z', '--branch'),
        bare: bare('status', '--porcelain=v2', '-z', '--branch'),
        command: 'git status --porcelain=v2 --branch',
      })),
      ...(await compare('git difference of one file of them', {
        ours: ours(`diff?percorso=${file}&area=lavoro`),
        plain: () => git('diff', '--', file),
        bare: bare('diff', '--', file),
        command: 'git diff -- <file>',
      })),
    ];
  } finally {
    await server?.stop();
    await bench.close();
  }
}

/** 50,000 files in one commit, 5,000 of them changed since. */
export function makeRepository(folder) {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  const git = (...args) => {
    const { status, stderr } = spawnSync('git', args, { cwd: folder, env, maxBuffer: 2 ** 28 });
    if (status !== 0) throw new Error(`git ${args[0]}: ${stderr.toString()}`);
  };
  for (let at = 0; at < FOLDERS; at += 1) {
    mkdirSync(join(folder, `d${at}`));
    for (let file = 0; file < FILES; file += 1)
      writeFileSync(join(folder, `d${at}/f${file}.txt`), `${at} ${file}\n`.repeat(20));
  }
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('-c', 'user.name=b', '-c', 'user.email=b@b.invalid', 'commit', '-q', '-m', 'Start');
  const perFolder = CHANGES / FOLDERS;
  for (let at = 0; at < CHANGES; at += 1)
    writeFileSync(join(folder, `d${Math.floor(at / perFolder)}/f${at % perFolder}.txt`), `changed ${at}\n`);
  git('status');
  return git;
}

/** In turn, so that whatever else the machine does falls on both. */
async function compare(what, { ours, plain, bare, command }) {
  const times = { ours: [], plain: [], bare: [] };
  for (let index = -2; index < RUNS; index += 1) {
    for (const [name, act] of Object.entries({ ours, plain, bare })) {
      const at = nowMs();
      await act();
      if (index >= 0) times[name].push(nowMs() - at);
    }
  }
  const [mine, theirs, least] = [times.ours, times.plain, times.bare].map(median);
  return [
    {
      figure: `${what}, times plain git`,
      value: round(mine / theirs, 2),
      bar: '≤ 1.3',
      peers: `plain git ${round(theirs)} ms; bare-git.mjs ${round(least / theirs, 2)} ×`,
      method: `${round(mine)} ms over HTTP, received and parsed; median of ${RUNS} beside ${command}`,
    },
  ];
}
