import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { textStart } from '@fucina/shared';
import type { Node, Parser } from 'web-tree-sitter';
import { OUTLINE_KINDS, type OutlineKind, WRAPPERS } from './symbol-kinds.ts';

/** One line of an outline. */
export interface OutlineLine {
  /** From 1. */
  line: number;
  /** 0 at the top level. */
  depth: number;
  /** The declaration without its body. */
  text: string;
}

export type ReadOutline = (path: string, text: string) => Promise<OutlineLine[]>;

const MAX_LINES = 60;
const MAX_TEXT = 120;
const MAX_DEPTH = 2;
/** Deeper or broken texts are cut here. */
const MAX_NODES = 5_000;

/** Grammars are loaded at their first file. */
export function createOutlines(): ReadOutline {
  const parsers = new Map<string, Promise<Parser>>();
  return async (path, text) => {
    const kind = OUTLINE_KINDS[extname(path).toLowerCase()];
    if (!kind) return [];
    const parser = parsers.get(kind.grammar) ?? loadParser(kind.grammar);
    parsers.set(kind.grammar, parser);
    const tree = (await parser).parse(text);
    if (!tree) return [];
    try {
      return linesOf(tree.rootNode, kind);
    } finally {
      tree.delete();
    }
  };
}

async function loadParser(grammar: string): Promise<Parser> {
  const treeSitter = await import('web-tree-sitter');
  const { resolve } = createRequire(import.meta.url);
  await treeSitter.Parser.init({ locateFile: () => resolve('web-tree-sitter/web-tree-sitter.wasm') });
  const bytes = readFileSync(resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${grammar}.wasm`));
  return new treeSitter.Parser().setLanguage(await treeSitter.Language.load(bytes));
}

function linesOf(root: Node, { declarations, containers }: OutlineKind): OutlineLine[] {
  const lines: OutlineLine[] = [];
  const open = childrenOf(root, 0);
  for (let left = MAX_NODES; left > 0 && lines.length < MAX_LINES; left--) {
    const next = open.shift();
    if (!next) break;
    const { node, depth } = next;
    const isShown = declarations.has(node.type);
    if (isShown) lines.push({ line: node.startPosition.row + 1, depth, text: headOf(node) });
    const isOpened = isShown ? containers.has(node.type) : WRAPPERS.has(node.type);
    if (isOpened && depth < MAX_DEPTH) open.unshift(...childrenOf(node, isShown ? depth + 1 : depth));
  }
  return lines;
}

function childrenOf(node: Node, depth: number): { node: Node; depth: number }[] {
  return node.namedChildren.flatMap((child) => (child ? [{ node: child, depth }] : []));
}

/** The text before the body, on one line. */
function headOf(node: Node): string {
  const body = node.childForFieldName('body');
  const whole = body ? node.text.slice(0, body.startIndex - node.startIndex) : (node.text.split('\n', 1)[0] ?? '');
  const line = whole.replaceAll(/\s+/g, ' ').replace(/[\s{:=]+$/, '');
  return line.length > MAX_TEXT ? `${textStart(line, MAX_TEXT)}…` : line;
}
