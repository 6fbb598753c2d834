// The repository map over 10,000 files of TypeScript and Python: the first outline, and one after an edit.
import { mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../scripts/lib.mjs';
import { nowMs, round, tempFolder } from './lib.mjs';

const FILES = 10_000;
const PER_FOLDER = 100;
const EDITS = 20;
const WANTED = { below: '', tokens: 1_000 };

export async function run() {
  const load = (path) => import(pathToFileURL(join(root, path)).href);
  const { createRepositoryMap } = await load('packages/language/dist/index.js');
  const { systemAmbient } = await load('packages/shared/dist/index.js');
  const { listFiles } = await load('packages/tools/dist/index.js');
  const temporary = tempFolder();
  const folder = realpathSync(temporary.path);
  const bytes = fill(folder);
  const ambient = systemAmbient('silent');
  let report = () => undefined;
  const map = createRepositoryMap({
    ambient,
    listFiles: async (path, signal) =>
      (await listFiles({ ambient, environment: process.env }, { folder: path, limit: 50_000, signal })).paths,
    watch: (_folder, onChange) => {
      report = onChange;
      return () => undefined;
    },
  });
  const outline = async () => {
    const startedAt = nowMs();
    const text = await map.outline(folder, WANTED, new AbortController().signal);
    return { ms: nowMs() - startedAt, text };
  };
  try {
    const first = await outline();
    const edits = [];
    for (let edit = 0; edit < EDITS; edit += 1) {
      const path = pathOf(edit * 7);
      writeFileSync(join(folder, path), textOf(edit * 7, `edited${edit}`));
      report([{ path, kind: 'file' }]);
      edits.push((await outline()).ms);
    }
    edits.sort((a, b) => a - b);
    const method = `${FILES} files, ${round(bytes / 2 ** 20)} MiB, half TypeScript, half Python; an answer of ${WANTED.tokens} tokens`;
    return [
      { figure: 'first map of 10,000 files, s', value: round(first.ms / 1000), bar: '≤ 3', method },
      {
        figure: 'map after an edit of one file, ms p50',
        value: round(edits[EDITS / 2]),
        bar: '≤ 50',
        method: `${EDITS} edits, the most ${round(edits.at(-1))} ms; the thread, the ranking and the outline included`,
      },
      {
        figure: 'size of the answer, characters',
        value: first.text.length,
        bar: `≤ ${3.5 * WANTED.tokens}`,
        method: `${first.text.split('\n').length} lines`,
      },
    ];
  } finally {
    await map[Symbol.asyncDispose]();
    temporary.remove();
  }
}

const isPython = (at) => at % 2 === 1;
const folderOf = (at) => `area${Math.floor(at / PER_FOLDER)}`;
const pathOf = (at) => `${folderOf(at)}/part${at}.${isPython(at) ? 'py' : 'ts'}`;

function fill(folder) {
  for (let at = 0; at < FILES; at += PER_FOLDER) mkdirSync(join(folder, folderOf(at)));
  let bytes = 0;
  for (let at = 0; at < FILES; at += 1) {
    const text = textOf(at, `value${at}`);
    bytes += text.length;
    writeFileSync(join(folder, pathOf(at)), text);
  }
  if (readdirSync(folder).length !== FILES / PER_FOLDER) throw new Error('the folder is not as expected');
  return bytes;
}

/** About 2 KiB: declarations, uses of others' declarations, and plain code. */
function textOf(at, name) {
  const others = [1, 2, 3].map((step) => Math.floor(((at * 31 + step * 977) % FILES) / (step * step * 10)));
  const lines = Array.from(
    { length: 24 },
    (_, line) => `  const local${line} = compute(${line}, '${name}', local${line - 1});`,
  );
  if (isPython(at)) {
    const uses = others.map((other) => `    total += Part${other}().size(${at})`);
    const body = lines.map((line) => line.replace('const ', '').replace(';', '').replace('  ', '    '));
    return [
      `class Part${at}:`,
      '    def size(self, count: int) -> int:',
      '        return count',
      '',
      `def run_${name}(total):`,
      ...uses,
      ...body,
      '',
    ].join('\n');
  }
  const uses = others.map((other) => `  total += new Part${other}().size(${at});`);
  return [
    `export class Part${at} {`,
    '  size(count: number): number {',
    '    return count;',
    '  }',
    '}',
    `export function run_${name}(total: number): number {`,
    ...uses,
    ...lines,
    '  return total;',
    '}',
    '',
  ].join('\n');
}
