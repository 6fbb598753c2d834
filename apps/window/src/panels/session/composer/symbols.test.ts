import { expect, test } from '@jest/globals';
import { symbolsOf } from './symbols.ts';

const names = (text: string, path: string) => symbolsOf(text, path).map(({ name, line }) => `${name}:${line}`);

test('finds declarations of common languages with their lines', () => {
  const ts =
    'import x from "y";\nexport async function load() {\n  const inner = 1;\n}\nexport const MOST = 3;\ntype Row = {};\n';
  expect(names(ts, 'a.ts')).toEqual(['load:2', 'MOST:5', 'Row:6']);
  expect(names('class Cart:\n    async def total(self):\n        pass\n', 'a.py')).toEqual(['Cart:1', 'total:2']);
  expect(names('func (s *Server) Start() {}\ntype Server struct {}\n', 'a.go')).toEqual(['Start:1', 'Server:2']);
  expect(names('pub(crate) async fn run() {}\npub struct Job;\n', 'a.rs')).toEqual(['run:1', 'Job:2']);
});

test('finds the headings of Markdown', () => {
  expect(names('# Title\n\nclass of text\n\n## Use it ##\n', 'README.md')).toEqual(['Title:1', 'Use it:5']);
});
