// The command line as whole processes: a headless one-shot with one tool turn, its memory, and the shortest of all commands.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/lib.mjs';
import { fillFolder, median, nowMs, round, startNode, tempFolder } from './lib.mjs';

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
  const large = tempFolder();
  const env = {
    ...process.env,
    FUCINA_DATA_DIR: data.path,
    FUCINA_CONFIG_DIR: join(data.path, 'config'),
    FUCINA_KEY_STORE: 'memory',
  };
  const inFolder = (cwd, ...args) =>
    spawnSync(process.execPath, ['--import', PRINT_PEAK, join(root, 'apps/cli/dist/main.js'), ...args], {
      env,
      cwd,
      encoding: 'utf8',
    });
  const fucina = (...args) => inFolder(project.path, ...args);
  try {
    fucina('provider', 'set-address', 'ollama', model.ready.url);
    const versions = timesOf(() => fucina('--version'));
    let peakKb = 0;
    const oneShots = (folder = project.path) =>
      timesOf(() => {
        const go = ['-p', 'go', '--model', 'ollama:bench', '--output-format', 'json'];
        const { status, stderr } = inFolder(folder, ...go);
        if (status !== 0) throw new Error(`fucina ended with ${status}: ${stderr}`);
        peakKb = Math.max(peakKb, Number(/^peak-kb (\d+)$/m.exec(stderr)?.[1]));
      });
    const times = oneShots();
    const peakOfPlain = peakKb;
    fillFolder(large.path);
    const [first, ...later] = oneShots(large.path);
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
        figure: 'the same in a folder of 5,000 files: the first / later, ms',
        value: `${round(first, 0)} / ${round(median(later), 0)}`,
        bar: '–',
        method: `one run, and the median of ${RUNS - 1} more, whole process; their contents are stored for undo`,
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
    large.remove();
  }
}
