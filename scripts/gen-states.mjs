// Writes docs/STATES.md from the transition tables; with --check it compares and fails instead.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TRANSFER_TRANSITIONS } from '../packages/local-models/src/downloads/download-state.ts';
import { ENGINE_TRANSITIONS } from '../packages/local-models/src/runtimes/engine-state.ts';
import { SESSION_TRANSITIONS } from '../packages/sessions/src/state/session-state.ts';
import { RUN_COMMANDS, RUN_MOVES } from '../packages/workflows/src/runs/run-state.ts';
import { STEP_MOVES } from '../packages/workflows/src/runs/steps/step-state.ts';
import { root } from './lib.mjs';

function table(name, transitions) {
  const states = Object.keys(transitions);
  const commands = [...new Set(states.flatMap((state) => Object.keys(transitions[state])))];
  const row = (state) => `| ${state} | ${commands.map((command) => transitions[state][command] ?? '–').join(' | ')} |`;
  return [
    `## ${name}`,
    '',
    `| state | ${commands.join(' | ')} |`,
    `|---|${commands.map(() => '---|').join('')}`,
    ...states.map(row),
  ].join('\n');
}

function list(name, what, moves) {
  const rows = Object.entries(moves).map(([state, next]) => `| ${state} | ${next.join(', ') || '–'} |`);
  return [`## ${name}`, '', `| state | ${what} |`, '|---|---|', ...rows].join('\n');
}

const text = `# States

Made by \`pnpm gen\` from the tables in the code. A dash is refused; of a session: SESSION_NOT_READY with the state as its reason.

${table('Session', SESSION_TRANSITIONS)}

${list('Run of a workflow: what a person may ask', 'commands (anything else: WORKFLOW_RUN_STATE_CONFLICT)', RUN_COMMANDS)}

${table('Run of a workflow: what follows', RUN_MOVES)}

${list('Step of a run', 'may become', STEP_MOVES)}

${table('Download of a model (a dash changes nothing)', TRANSFER_TRANSITIONS)}

${table('Engine of local models: RUNTIME_ALREADY_RUNNING for a dash', ENGINE_TRANSITIONS)}
`;
const file = join(root, 'docs/STATES.md');
let present = '';
try {
  present = readFileSync(file, 'utf8');
} catch (error) {
  if (error.code !== 'ENOENT') throw error;
}
if (present !== text && process.argv.includes('--check')) {
  console.error('docs/STATES.md is stale: run pnpm gen and commit it');
  process.exitCode = 1;
} else if (present !== text) writeFileSync(file, text);
