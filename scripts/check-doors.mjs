// A package has the entry points that its role allows and no others: `.`, `./testing`, and separate ones for rarely
// used parts.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './lib.mjs';

const EXTRA = {
  conversation: ['./clean-text', './labels/en', './labels/it', './line-diff', './reader', './schedule', './sharing'],
  shared: [
    './form-fields',
    './model-files',
    './portable-name',
    './program-loader',
    './sentences',
    './theme-names',
    './themes',
    './version',
  ],
  // Types of the interface, and the tables of its English names: a page loads each when it needs it.
  'wire-types': ['./addresses', './event-names', './first-names', './names', './rename'],
};
const problems = [];
for (const name of readdirSync(join(root, 'packages'))) {
  const file = join(root, 'packages', name, 'package.json');
  if (!existsSync(file)) continue;
  const { exports = {} } = JSON.parse(readFileSync(file, 'utf8'));
  const allowed = new Set(['.', './testing', ...(EXTRA[name] ?? [])]);
  for (const door of Object.keys(exports)) if (!allowed.has(door)) problems.push(`packages/${name} opens ${door}`);
  if (!existsSync(join(root, 'packages', name, 'README.md'))) problems.push(`packages/${name} has no README.md`);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length ? 1 : 0;
