// Runs a built program once and stores the code that V8 compiled, for the next starts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { root } from './lib.mjs';

/** What a program does during that: the server starts and ends, the command line runs a task with one tool call. */
const RUNS = {
  server: (run) => startAndEnd(run([], { FUCINA_TOKEN: 'recorded'.repeat(8), FUCINA_PORT: '0' })),
  serve: (run) => startAndEnd(run(['serve', '--port', '0'], {})),
  async cli(run) {
    const model = spawn(process.execPath, [join(root, 'packages/testkit/dist/model-server-main.js'), 'tool-turn'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface({ input: model.stdout }), 'line');
    try {
      for (const args of [
        ['provider', 'set-address', 'ollama', JSON.parse(line).url],
        ['-p', 'go', '--model', 'ollama:bench'],
      ])
        await once(run(args, {}).stdout.resume(), 'close');
    } finally {
      model.kill('SIGTERM');
    }
  },
};

async function startAndEnd(server) {
  await once(createInterface({ input: server.stdout }), 'line');
  server.kill('SIGTERM');
  await once(server, 'exit');
}

/**
 * `runs`: names of what the program in `folder` does; of a file that several read, the last one's code is stored. A
 * program that cannot run here works without stored code: it compiles at every start.
 */
export async function recordCode(folder, runs) {
  const place = mkdtempSync(join(tmpdir(), 'fucina-build-'));
  const cwd = join(place, 'project');
  mkdirSync(cwd);
  const run = (args, env) =>
    spawn(process.execPath, [fileURLToPath(new URL('record-program.mjs', import.meta.url)), folder, ...args], {
      cwd,
      env: {
        ...process.env,
        FUCINA_DATA_DIR: join(place, 'data'),
        FUCINA_CONFIG_DIR: join(place, 'config'),
        FUCINA_KEY_STORE: 'memory',
        FUCINA_PUBLIC_CATALOG: '0',
        FUCINA_LOG: 'error',
        ...env,
      },
      // The task's output is not needed.
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  try {
    for (const name of runs) await RUNS[name](run);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}
