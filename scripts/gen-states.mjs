// Writes docs/STATES.md from the transition tables; with --check it compares and fails instead.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SESSION_TRANSITIONS } from '../packages/sessions/src/turn/session-state.ts';
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

const text = `# States

Made by \`pnpm gen\` from the tables in the code. A dash is refused: SESSION_NOT_READY with the state as its reason.

${table('Session', SESSION_TRANSITIONS)}
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
