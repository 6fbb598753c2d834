// Every path that a document names in backquotes exists, and the workflows of `.github` are YAML that runs scripts of ours.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './lib.mjs';

const PATH = /`((?:\.ci|apps|packages|scripts|bench|docs)\/[\w@./-]+)`|\]\(((?!https?:|#)[\w./-]+)(?:#[\w-]+)?\)/g;
const files = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const missing = files.flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(PATH)].flatMap(([, code, link]) => {
    const path = code ? join(root, code) : join(root, dirname(file), link);
    const isThere = existsSync(path) || /\/dist(\/|$)/.test(path);
    return isThere ? [] : [`${file} names ${code ?? link}, which does not exist`];
  }),
);
missing.push(...faultsOfWorkflows());
for (const line of missing) console.error(line);
process.exitCode = missing.length ? 1 : 0;

function faultsOfWorkflows() {
  const { parseDocument } = createRequire(join(root, 'packages/extensions/package.json'))('yaml');
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folder = join(root, '.github/workflows');
  return readdirSync(folder).flatMap((name) => {
    const document = parseDocument(readFileSync(join(folder, name), 'utf8'));
    if (document.errors.length > 0) return document.errors.map(({ message }) => `${name}: ${message}`);
    const jobs = Object.values(document.toJS().jobs ?? {});
    const commands = jobs.flatMap(({ steps = [] }) => steps.flatMap(({ run }) => run ?? []));
    if (commands.length === 0) return [`${name} runs nothing`];
    return commands.flatMap((command) => {
      const [, script] = /^npm run ([\w:]+)/.exec(command) ?? [];
      return script === undefined || scripts[script] ? [] : [`${name} runs ${script}, which does not exist`];
    });
  });
}
