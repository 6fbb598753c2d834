// The command line as whole processes: a headless one-shot with one tool turn, its memory, and the shortest of all commands.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/lib.mjs';
import { median, nowMs, round, startNode, tempFolder } from './lib.mjs';

const RUNS = 7;
/** Loaded before the program: says on standard error what it took. */
const PRINT_PEAK = `data:text/javascript,process.on('exit',()=>process.stderr.write('peak-kb '+process.resourceUsage().maxRSS+'\\n'))`;

/** One call of a line that only the grammar of the shell can judge. */
const PIPELINE = {
  rules: [
    { when: { lastRole: 'tool' }, reply: { text: 'Done.' } },
    { reply: { toolCalls: [{ name: 'shell', arguments: { comando: 'echo bench | cat' } }] } },
  ],
};

function timesOf(act) {
  return Array.from({ length: RUNS }, () => {
    const at = nowMs();
    act();
    return nowMs() - at;
  });
}

export async function run() {
  const data = tempFolder();
  const scenario = join(data.path, 'pipeline.json');
  writeFileSync(scenario, JSON.stringify(PIPELINE));
  const model = await startNode('packages/testkit/dist/model-server-main.js', { args: ['tool-turn'] });
  const piping = await startNode('packages/testkit/dist/model-server-main.js', { args: [scenario] });
  const project = tempFolder();
  const env = {
    ...process.env,
    FUCINA_DATA_DIR: data.path,
    FUCINA_CONFIG_DIR: join(data.path, 'config'),
    FUCINA_KEY_STORE: 'memory',
  };
  const fucina = (...args) =>
    spawnSync(process.execPath, ['--import', PRINT_PEAK, join(root, 'apps/cli/dist/main.js'), ...args], {
      env,
      cwd: project.path,
      encoding: 'utf8',
    });
  try {
    fucina('provider', 'set-address', 'ollama', model.ready.url);
    const versions = timesOf(() => fucina('--version'));
    let peakKb = 0;
    const oneShots = () =>
      timesOf(() => {
        const { status, stderr } = fucina('-p', 'go', '--model', 'ollama:bench', '--output-format', 'json');
        if (status !== 0) throw new Error(`fucina ended with ${status}: ${stderr}`);
        peakKb = Math.max(peakKb, Number(/^peak-kb (\d+)$/m.exec(stderr)?.[1]));
      });
    const times = oneShots();
    const peakOfPlain = peakKb;
    fucina('config', 'set', 'permissions.allow', '["Bash(echo bench)", "Bash(cat)"]', '--scope', 'user');
    const ruled = oneShots();
    fucina('provider', 'set-address', 'ollama', piping.ready.url);
    const piped = oneShots();
    return [
      {
        figure: 'headless one-shot with one tool turn, ms',
        value: round(median(times), 0),
        bar: '≤ 300',
        peers: 'Codex 380, Claude Code 510, pi 1,070, opencode 3,600',
        method: `median of ${RUNS}, whole process`,
      },
      {
        figure: 'the same: most memory of the process, MiB',
        value: round(peakOfPlain / 1024, 0),
        bar: '≤ 110',
        peers: 'Codex 150, Claude Code 224',
        method: `maximum resident set of ${RUNS} runs, as the process tells at its end`,
      },
      {
        figure: 'the same with a saved rule for the command, ms',
        value: round(median(ruled), 0),
        bar: 'as without',
        method: `median of ${RUNS}, whole process; the rule says Bash(echo bench)`,
      },
      {
        figure: 'the same with saved rules and a pipeline, ms',
        value: round(median(piped), 0),
        bar: '–',
        method: `median of ${RUNS}, whole process; echo into cat, read by the grammar`,
      },
      {
        figure: 'fucina --version, ms',
        value: round(median(versions), 0),
        bar: '≤ 80',
        method: `median of ${RUNS}, whole process`,
      },
    ];
  } finally {
    await model.stop();
    await piping.stop();
    data.remove();
    project.remove();
  }
}
