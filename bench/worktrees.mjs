// Five sessions at work at once on one repository of 50,000 files, each in a worktree: no write of one is seen by another.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../scripts/lib.mjs';
import { makeRepository } from './git.mjs';
import { median, nowMs, round, startBench } from './lib.mjs';

const SESSIONS = 5;
const ROUNDS = 5;
const RUNS = 3;
const PAUSE_MS = 10;
/** A file that all of them change; it has no uncommitted change in the folder itself. */
const SHARED = 'd9/f99.txt';
const COMMIT = 'git add -A && git -c user.name=b -c user.email=b@b.invalid commit -q -m Round';
const METHOD =
  'makeRepository of bench/git.mjs, with 5,000 uncommitted changes in the folder, which stay there; over HTTP until the state of the worktree is answered';

export async function run() {
  const { createModelServer } = await import(pathToFileURL(join(root, 'packages/testkit/dist/index.js')).href);
  const seen = [];
  const model = await createModelServer({ script: worker(seen) });
  const bench = await startBench();
  try {
    await bench.api('POST', '/providers/ollama/runtime', { endpoint: model.url, timeoutSeconds: 60 });
    const folder = realpathSync(bench.project);
    makeRepository(folder);
    const alone = await createAlone(bench, folder);
    await reconnect(bench.api);
    const startedAt = nowMs();
    const made = await Promise.all(
      Array.from({ length: SESSIONS }, async (_, index) => {
        const worktree = await create(bench, folder, `session ${index}`);
        return { worktree, ms: nowMs() - startedAt };
      }),
    );
    const workAt = nowMs();
    await Promise.all(made.map(({ worktree }, index) => work(bench, worktree, index)));
    const workMs = nowMs() - workAt;
    const checks = checkApart(folder, made, seen);
    return rowsOf({ alone, made, workMs, checks });
  } finally {
    await bench.close();
    await model[Symbol.asyncDispose]();
  }
}

function rowsOf({ alone, made, workMs, checks }) {
  const times = made.map(({ ms }) => round(ms / 1000)).sort((a, b) => a - b);
  return [
    {
      figure: 'worktree of 50,000 files, times plain git',
      value: round(alone.ours / alone.plain, 2),
      bar: '≤ 1.5',
      peers: `plain git ${round(alone.plain)} ms`,
      method: `${METHOD}: ${round(alone.ours)} ms; median of ${RUNS} beside \`git worktree add\``,
    },
    {
      figure: `${SESSIONS} such worktrees made at once, s until the last`,
      value: times.at(-1),
      bar: '≤ 30',
      method: `each ready after ${times.join(', ')} s`,
    },
    {
      figure: `${SESSIONS} sessions at work in them at once, s`,
      value: round(workMs / 1000),
      bar: '≤ 60',
      method: `${ROUNDS} rounds each: write a file that all of them write and one of its own, read both in the sandbox, commit; the scripted model answers at once`,
    },
    {
      figure: 'writes of one session that another saw',
      value: checks.foreign,
      bar: '0',
      method: `${checks.count} checks: what each command read, and at the end files, commits and state of every worktree and of the folder`,
    },
  ];
}

async function createAlone({ api, ...bench }, folder) {
  const times = { ours: [], plain: [] };
  const beside = join(folder, '..', 'fucina-bench-plain-worktree');
  for (let index = 0; index < RUNS; index += 1) {
    await reconnect(api);
    let at = nowMs();
    const { id } = await create({ api, ...bench }, folder, 'alone');
    times.ours.push(nowMs() - at);
    await api('DELETE', `/ext/worktrees/${id}?forza=true&eliminaRamo=true`);
    at = nowMs();
    git(folder, 'worktree', 'add', '-q', '--detach', beside);
    times.plain.push(nowMs() - at);
    git(folder, 'worktree', 'remove', '--force', beside);
  }
  return { ours: median(times.ours), plain: median(times.plain) };
}

/** The connection has been idle for too long. */
const reconnect = (api) => api('GET', '/sessions').catch(() => undefined);

async function create({ api }, cartella, titolo) {
  return (await api('POST', '/ext/worktrees', { cartella, titolo })).worktree;
}

async function work({ api }, { cartella }, index) {
  const body = {
    cartellaLibera: cartella,
    consegna: `worker ${index}.`,
    modello: 'ollama:bench',
    permessi: 'Workspace write',
  };
  const { sessionId } = await api('POST', '/sessions/custom', body);
  for (;;) {
    const { items } = await api('GET', '/sessions');
    if (items.find((item) => item.sessionId === sessionId).conclusa) return;
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
}

const textOf = (index, at) => `worker ${index} round ${at}\n`;

/** One script for all sessions: which one asks is in its first message. */
function worker(seen) {
  const steps = new Map();
  return ({ body, lastText }) => {
    const index = Number(/worker (\d)\./.exec(JSON.stringify(body.messages))[1]);
    const step = steps.get(index) ?? 0;
    steps.set(index, step + 1);
    if (step === 0) return calling('leggi', { percorso: SHARED });
    const at = Math.floor((step - 1) / 3);
    const part = (step - 1) % 3;
    if (part === 0 && at > 0) seen.push({ index, at: at - 1, text: lastText });
    if (at === ROUNDS) return { text: 'Done.' };
    if (part === 0) return calling('scrivi', { percorso: SHARED, contenuto: textOf(index, at) });
    if (part === 1) return calling('scrivi', { percorso: `own-${index}-${at}.txt`, contenuto: textOf(index, at) });
    return calling('shell', { comando: `cat ${SHARED} && ls own-* && ${COMMIT}` });
  };
}

const calling = (name, args) => ({ toolCalls: [{ name, arguments: args }] });

/** Throws when work is missing; counts what a session or a folder shows that is not its own. */
function checkApart(folder, made, seen) {
  const all = [];
  const check = (isRight) => all.push(isRight);
  if (seen.length !== SESSIONS * ROUNDS) throw new Error(`only ${seen.length} commands were answered`);
  for (const { index, at, text } of seen) {
    if (!text.includes(`own-${index}-${at}.txt`)) throw new Error(`worker ${index} did not find its file: ${text}`);
    check(text.includes(textOf(index, at).trim()) && [...text.matchAll(/own-(\d)/g)].every((of) => +of[1] === index));
  }
  made.forEach(({ worktree: { percorso, base } }, index) => {
    const own = readdirSync(percorso).filter((name) => name.startsWith('own-'));
    if (own.length !== ROUNDS) throw new Error(`worker ${index} made ${own.length} files`);
    check(own.every((name) => name.startsWith(`own-${index}-`)));
    check(readFileSync(join(percorso, SHARED), 'utf8') === textOf(index, ROUNDS - 1));
    check(git(percorso, 'rev-list', '--count', `${base.commit}..HEAD`) === String(ROUNDS));
    check(git(percorso, 'status', '--porcelain') === '');
  });
  check(readdirSync(folder).every((name) => !name.startsWith('own-')));
  check(!readFileSync(join(folder, SHARED), 'utf8').includes('worker'));
  check(git(folder, 'status', '--porcelain').split('\n').length === 5_000);
  return { count: all.length, foreign: all.filter((isRight) => !isRight).length };
}

function git(folder, ...args) {
  const env = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1' };
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, env, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr}`);
  return stdout.trim();
}
