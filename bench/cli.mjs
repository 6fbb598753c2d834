// The whole process of a headless one-shot with one tool turn.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../scripts/lib.mjs';
import { median, nowMs, round, startNode, tempFolder } from './lib.mjs';

const RUNS = 7;

export async function run() {
  const model = await startNode('packages/testkit/dist/model-server-main.js', { args: ['tool-turn'] });
  const data = tempFolder();
  const project = tempFolder();
  const env = { ...process.env, FUCINA_DATA_DIR: data.path, FUCINA_KEY_STORE: 'memory' };
  const fucina = (...args) =>
    spawnSync(process.execPath, [join(root, 'apps/cli/dist/main.js'), ...args], {
      env,
      cwd: project.path,
      encoding: 'utf8',
    });
  try {
    fucina('provider', 'set-address', 'ollama', model.ready.url);
    const times = [];
    for (let index = 0; index < RUNS; index += 1) {
      const at = nowMs();
      const { status, stderr } = fucina('-p', 'go', '--model', 'ollama:bench', '--output-format', 'json');
      if (status !== 0) throw new Error(`fucina ended with ${status}: ${stderr}`);
      times.push(nowMs() - at);
    }
    return [
      {
        figure: 'headless one-shot with one tool turn, ms',
        value: round(median(times), 0),
        bar: '≤ 400',
        peers: 'Codex 380, Claude Code 510, pi 1,070, opencode 3,600',
        method: `median of ${RUNS}, whole process`,
      },
    ];
  } finally {
    await model.stop();
    data.remove();
    project.remove();
  }
}
