import { type TempRepo, tempRepo } from './folders.ts';

/** The bug of the sample project: `before` is in `path`, `after` makes its tests pass. */
export const SAMPLE_BUG = {
  path: 'src/pages.js',
  before: 'const end = start + perPage - 1;',
  after: 'const end = start + perPage;',
} as const;

export const SAMPLE_FILES: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify(
    { name: 'sample-pages', version: '1.0.0', private: true, type: 'module', scripts: { test: 'node --test' } },
    null,
    2,
  )}\n`,
  'README.md': '# Pages\n\nCuts a list into pages. `npm test` runs the tests.\n',
  '.gitignore': 'node_modules\n',
  'src/pages.js': `/** How many pages \`total\` items fill. */
export function pageCount(total, perPage) {
  return Math.ceil(total / perPage);
}

/** The items of one page; the first page is 1. */
export function pageOf(items, page, perPage) {
  const start = (page - 1) * perPage;
  ${SAMPLE_BUG.before}
  return items.slice(start, end);
}
`,
  'test/pages.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageCount, pageOf } from '../src/pages.js';

test('counts the last page even when it is not full', () => {
  assert.equal(pageCount(7, 3), 3);
});

test('a page holds as many items as asked', () => {
  assert.deepEqual(pageOf(['a', 'b', 'c', 'd', 'e', 'f', 'g'], 1, 3), ['a', 'b', 'c']);
});

test('the last page holds the rest', () => {
  assert.deepEqual(pageOf(['a', 'b', 'c', 'd', 'e', 'f', 'g'], 3, 3), ['g']);
});
`,
};

/** A small Node project under git, whose \`npm test\` has exactly one failing test: an item is missing from every full page. */
export async function sampleProject(): Promise<TempRepo> {
  return tempRepo({ ...SAMPLE_FILES });
}
