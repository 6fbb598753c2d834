import { describe, expect, test } from '@jest/globals';
import { hostOf, readableReport } from './report-text.ts';

const record = '\n\n```svc-research-record\n{"version":1}\n```\n';
const references = '\n\n## Sources\n\n1. One <https://one.example>\n2. Two <https://two.example>';
const read = (text: string, sources = 2) => readableReport(text, { title: 'Heat', sources });

describe('a research report', () => {
  test('is shown without its metadata, source list and title', () => {
    expect(read(`# Heat\n\nSlowly.\n\n## How\n\nWith care.${references}${record}`)).toBe(
      'Slowly.\n\n## How\n\nWith care.',
    );
  });

  test('keeps its own title and lists that are not source lists', () => {
    expect(read('# Other\n\n1. first\n2. second\n\nEnd.')).toBe('# Other\n\n1. first\n2. second\n\nEnd.');
    expect(read(`Text.${references}`, 0)).toContain('## Sources');
  });

  test('links each citation to its source', () => {
    expect(read('Oil [1], water [1, 2] and [2][1].')).toBe(
      'Oil [\\[1\\]](#source-1), water [\\[1\\]](#source-1) [\\[2\\]](#source-2) and [\\[2\\]](#source-2)[\\[1\\]](#source-1).',
    );
  });

  test('leaves other numbers, code and links unchanged', () => {
    const text = 'Of [3] and [0], `a[1]`, [1](https://one.example)\n\n```\na[1]\n```';
    expect(read(text)).toBe(text);
    expect(read('[1]', 0)).toBe('[1]');
  });
});

test('a source shows its host, or its text when it is not an address', () => {
  expect([hostOf('https://www.forge.example/a?b'), hostOf('forge')]).toEqual(['forge.example', 'forge']);
});
