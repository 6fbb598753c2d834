import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Reply, type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { MAIN } from './binary.ts';
import { type TestComputer, testComputer } from './harness.ts';

const shell = (comando: string): Reply => ({ toolCalls: [{ name: 'shell', arguments: { comando } }] });
const write = (percorso: string, contenuto: string): Reply => ({
  toolCalls: [{ name: 'scrivi', arguments: { percorso, contenuto } }],
});
const ok: Reply = { text: 'ok' };
const refused: Reply = { text: 'No.', finish: 'content-filter' };
const cut: Reply = { text: 'half ', finish: 'length' };
const hang: Reply = { text: 'half', fault: { kind: 'hang-mid-stream', after: 1 } };
const failing = (status: number, message?: string): Reply => ({
  fault: { kind: 'status', status, ...(message !== undefined && { message }) },
});

interface OneShot {
  /** The shell's command; `fucina` is the built program with the scripted model. */
  line: string;
  replies?: readonly Reply[];
  exit: number;
  out?: string | RegExp;
  err?: RegExp;
}

const ENDINGS: Readonly<Record<string, readonly OneShot[]>> = {
  'done is 0': [
    { line: 'fucina -p go', exit: 0, out: 'ok\n' },
    { line: 'echo go | fucina', exit: 0, out: 'ok\n' },
    { line: 'echo go | fucina -p -', exit: 0, out: 'ok\n' },
    { line: 'fucina -p go < /dev/null', exit: 0, out: 'ok\n' },
    { line: 'fucina -p go | cat', exit: 0, out: 'ok\n' },
    { line: 'fucina -p go 2> /dev/null', exit: 0, out: 'ok\n', err: /^$/ },
    { line: 'fucina -q -p go', exit: 0, out: 'ok\n', err: /^$/ },
    { line: 'fucina -p go --json', exit: 0, out: /^\{.*"outcome":"finished".*\}\n$/ },
    { line: 'fucina -p go --output-format json | head -c 1', exit: 0, out: '{' },
    { line: 'fucina -p go --output-format stream-json | tail -1', exit: 0, out: /^\{"type":"result"/ },
    { line: 'fucina -p go --output-format stream-json | head -1', exit: 0, out: /"type":"RunStarted"/ },
    { line: 'fucina -p go --cwd . --reasoning low', exit: 0, out: 'ok\n' },
    { line: 'fucina -p go --permission-mode bypassPermissions', replies: [shell('echo x'), ok], exit: 0, out: 'ok\n' },
    { line: 'fucina -p go --test-command true', exit: 0, out: 'ok\n' },
    { line: 'fucina -p go --add-file README.md', exit: 0, out: 'ok\n' },
    { line: 'fucina -p go && fucina -c -p more', exit: 0, out: 'ok\nok\n' },
    { line: 'fucina -p go && fucina -c --fork -p more', exit: 0, out: 'ok\nok\n' },
    { line: 'fucina -p go --max-turns 5', replies: [shell('true'), ok], exit: 0, out: 'ok\n' },
    { line: 'fucina -p go && cat made.txt', replies: [write('made.txt', 'here'), ok], exit: 0, out: 'ok\nhere' },
    { line: 'X=$(fucina -p go); echo "[$X]"', exit: 0, out: '[ok]\n' },
    { line: `fucina -p go --json-schema '{"type":"integer"}'`, replies: [{ text: '7' }], exit: 0, out: '7\n' },
    { line: 'fucina -p go --permission-mode plan', exit: 0, out: 'ok\n' },
    {
      line: `echo '{"type":"user","message":"go"}' | fucina --input-format stream-json | tail -1`,
      exit: 0,
      out: /^\{"type":"result".*"text":"ok"/,
    },
    { line: 'LC_ALL=it_IT.UTF-8 fucina -p go', exit: 0, out: 'ok\n', err: /continua con/ },
    { line: 'fucina -p go > made.out; cat made.out', exit: 0, out: 'ok\n' },
  ],
  'a turn that ended in an error is 1': [
    { line: 'fucina -p go', replies: [failing(400)], exit: 1, out: '' },
    { line: 'fucina -p go', replies: [failing(404)], exit: 1, out: '', err: /\[MODEL_CALL_FAILED\]/ },
    { line: 'fucina -p go --json', replies: [failing(400)], exit: 1, out: /"outcome":"error"/ },
    { line: 'fucina -p go', replies: [{ fault: { kind: 'context-too-long' } }], exit: 1, out: '' },
    { line: 'fucina -p go --resume nothing', exit: 1, err: /\[NOT_FOUND\]/ },
    { line: 'fucina -c -p go --cwd /', exit: 1, err: /No session to continue in this folder/ },
    { line: `fucina -p go --json-schema '{"type":"integer"}'`, exit: 1, out: '', err: /shape/ },
    { line: 'set -e; fucina -p go; echo never', replies: [failing(400)], exit: 1, out: '' },
  ],
  'an answer that the model did not finish is 5': [
    { line: 'fucina -p go --json', replies: [refused], exit: 5, out: /"outcome":"answer-refused"/ },
    { line: 'fucina -p go', replies: [{ text: '' }, { text: '' }], exit: 5, out: '', err: /empty answer, twice/ },
    { line: 'fucina -p go --json', replies: [cut, cut, cut, cut], exit: 5, out: /"outcome":"answer-cut"/ },
    { line: 'fucina -p go', replies: [{ text: '' }, ok], exit: 0, out: 'ok\n' },
    {
      line: 'fucina -p go',
      replies: [{ fault: { kind: 'status', status: 503, retryAfter: 0 } }, ok],
      exit: 0,
      out: 'ok\n',
      err: /the provider or the connection failed; try 2 of 10 in 0 s/,
    },
  ],
  'wrong usage is 2, and asks no model': [
    { line: 'fucina < /dev/null', exit: 2, out: '', err: /-p/ },
    { line: 'fucina -p " "', exit: 2, out: '' },
    { line: 'fucina -p go --what', exit: 2, out: '', err: /--what/ },
    { line: 'fucina -p go --output-format xml', exit: 2, out: '', err: /stream-json/ },
    { line: 'fucina -p go --permission-mode open', exit: 2, out: '', err: /acceptEdits/ },
    { line: 'fucina -p go --max-turns none', exit: 2, out: '' },
    { line: 'fucina -p go --cwd /nowhere', exit: 2, out: '', err: /nowhere/ },
    { line: 'fucina -p go --add-file nowhere', exit: 2, out: '', err: /nowhere/ },
    { line: 'fucina -p go --json-schema nowhere', exit: 2, out: '' },
    { line: 'head -c 300000 /dev/zero | tr "\\0" x | fucina -p go', exit: 2, out: '', err: /larger than 256 kB/ },
    { line: 'fucina --input-format stream-json < /dev/null', exit: 2, out: '' },
  ],
  'leave that was needed and not given is 3': [
    { line: 'fucina -p go --permissions "On request"', replies: [shell('echo x > y'), ok], exit: 3, out: 'ok\n' },
    { line: 'fucina -p go', replies: [write('.git/hooks/x', 'y'), ok], exit: 3, out: 'ok\n' },
    {
      line: 'fucina -p go --permissions "On request" --json',
      replies: [shell('echo x'), ok],
      exit: 3,
      out: /"denials":1/,
    },
  ],
  'model calls used up is 4': [
    { line: 'fucina -p go --max-turns 1', replies: [shell('true'), shell('true')], exit: 4, out: '' },
  ],
  'busy is 75': [
    {
      line: 'fucina -p go --output-format stream-json > out & until grep -q half out; do sleep 0.05; done; fucina -c -p more; E=$?; kill -TERM $!; wait $!; exit $E',
      replies: [hang],
      exit: 75,
      err: /\[SESSION_STORE_BUSY\]/,
    },
  ],
  'a matter of configuration is 78': [
    { line: 'echo "{" > settings; mkdir -p .svc; mv settings .svc/settings.json; fucina -p go', exit: 78 },
    { line: 'fucina -p go -m groq:x', exit: 78, out: '' },
    { line: 'fucina -p go -m nonsense', exit: 78, out: '', err: /\[MODEL_ID_INVALID\]/ },
    { line: 'fucina -p go', replies: [failing(401)], exit: 78, out: '', err: /rejected the key/ },
    {
      line: 'fucina -p go',
      replies: [failing(404, 'model "tiny" not found')],
      exit: 78,
      out: '',
      err: /does not offer this model[^]*\[MODEL_NOT_FOUND\][^]*model "tiny" not found/,
    },
  ],
  'a bug is 70': [
    {
      line: `NODE_OPTIONS='--import=data:text/javascript,JSON.parse=()=>{throw(Error("broken"))}' fucina sessions list`,
      exit: 70,
      err: /broken/,
    },
  ],
  'stopped is 130': [
    { line: 'timeout --preserve-status -s INT 2 fucina -p go', replies: [hang], exit: 130 },
    {
      line: 'fucina -p go --output-format stream-json > out & until grep -q half out; do sleep 0.05; done; kill -TERM $!; wait $!',
      replies: [hang],
      exit: 130,
    },
  ],
};

let replies: readonly Reply[] = [];
let asked = 0;
let number = 0;
let computer: TestComputer;
beforeAll(async () => {
  computer = await testComputer(() => replies[Math.min(asked++, replies.length - 1)] ?? ok);
});
afterAll(async () => computer[Symbol.asyncDispose]());

let place: TempDir;
beforeAll(async () => {
  place = await tempDir();
  await place.write({ 'bin/fucina': `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' -m ollama:tiny "$@"\n` });
  await chmod(join(place.path, 'bin/fucina'), 0o755);
});
afterAll(async () => place[Symbol.asyncDispose]());

/** In its own folder, with the shell's own environment only. */
async function runLine({ line }: OneShot): Promise<{ exit: number | null; out: string; err: string }> {
  const folder = join(place.path, `${number++}`);
  await place.write({ [`${number - 1}/README.md`]: 'hello\n' });
  const env = { ...computer.env, PATH: `${place.path}/bin:${computer.env.PATH}` };
  const child = spawn('bash', ['-c', `git init -q .; ${line}`], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { exit: child.exitCode, out, err };
}

describe.each(Object.entries(ENDINGS))('%s', (name, shots) => {
  test.each(shots)('$line', async (shot) => {
    replies = shot.replies ?? [ok];
    asked = 0;
    const { exit, out, err } = await runLine(shot);
    expect({ exit, ...(exit !== shot.exit && { out, err }) }).toEqual({ exit: shot.exit });
    if (typeof shot.out === 'string') expect(out).toBe(shot.out);
    else if (shot.out) expect(out).toMatch(shot.out);
    if (shot.err) expect(err).toMatch(shot.err);
    if (name.startsWith('wrong usage')) expect(asked).toBe(0);
  });
});
