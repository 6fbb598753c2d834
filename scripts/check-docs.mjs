// Every path that a document names in backquotes exists.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
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
for (const line of missing) console.error(line);
process.exitCode = missing.length ? 1 : 0;
