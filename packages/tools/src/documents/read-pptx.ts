import { posix } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import type { DocumentText } from './document-text.ts';
import { ZipError } from './zip.ts';

/**
 * A node of fast-xml-parser in document order: one key is the tag, its value the children; `:@` contains the
 * attributes.
 */
type Node = Record<string, unknown>;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  trimValues: false,
  processEntities: true,
});

/** The text of the slides in order, notes after each; hidden slides are marked. */
export function readPptx(parts: ReadonlyMap<string, Buffer>): DocumentText {
  const links = relations(parts, 'ppt/presentation.xml');
  const presentation = parse(parts, 'ppt/presentation.xml');
  const order = find(presentation, 'p:sldId').map((node) => links.get(attribute(node, 'r:id')));
  const pages = order
    .filter((path) => path !== undefined && parts.has(path))
    .map((path, index) => ({ title: `slide ${index + 1}`, text: slideText(parts, path as string) }));
  return { kind: 'PowerPoint presentation', pages, notes: [] };
}

function slideText(parts: ReadonlyMap<string, Buffer>, path: string): string {
  const slide = parse(parts, path);
  const isHidden = find(slide, 'p:sld').some((node) => attribute(node, 'show') === '0');
  const notesPath = [...relations(parts, path).values()].find((target) => target.startsWith('ppt/notesSlides/'));
  const notes = notesPath !== undefined && parts.has(notesPath) ? paragraphs(parse(parts, notesPath)) : [];
  // The notes also contain the slide number.
  const said = notes.filter((line) => !/^\d*$/.test(line));
  return [
    ...(isHidden ? ['(hidden)'] : []),
    ...paragraphs(slide),
    ...(said.length > 0 ? [`Notes: ${said.join(' ')}`] : []),
  ].join('\n');
}

/** Paragraphs in document order; the cells of a table row on one line. */
function paragraphs(nodes: readonly Node[]): string[] {
  const lines: string[] = [];
  const open = [...nodes].reverse();
  for (let node = open.pop(); node; node = open.pop()) {
    const [tag, children] = content(node);
    if (tag === 'a:tr')
      lines.push(
        `| ${find(children, 'a:tc')
          .map((cell) => textOf([cell]))
          .join(' | ')} |`,
      );
    else if (tag === 'a:p') lines.push(textOf([node]));
    else open.push(...[...children].reverse());
  }
  return lines.filter((line) => line.trim() !== '');
}

function textOf(nodes: readonly Node[]): string {
  let text = '';
  const open = [...nodes].reverse();
  for (let node = open.pop(); node; node = open.pop()) {
    const [tag, children] = content(node);
    if (tag === '#text') text += String(node['#text']);
    else if (tag === 'a:br') text += ' ';
    // Only runs contain text; between other tags is formatting white space.
    else open.push(...(tag === 'a:t' ? [...children] : children.filter((child) => !('#text' in child))).reverse());
  }
  return text.replaceAll(/\s+/g, ' ').trim();
}

function find(nodes: readonly Node[], tag: string): Node[] {
  const found: Node[] = [];
  const open = [...nodes].reverse();
  for (let node = open.pop(); node; node = open.pop()) {
    const [name, children] = content(node);
    if (name === tag) found.push(node);
    else open.push(...[...children].reverse());
  }
  return found;
}

function content(node: Node): [tag: string, children: Node[]] {
  const tag = Object.keys(node).find((key) => key !== ':@') ?? '';
  const value = node[tag];
  return [tag, Array.isArray(value) ? (value as Node[]) : []];
}

function attribute(node: Node, name: string): string {
  const value = (node[':@'] as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' ? value : '';
}

/** Relation id → path in the archive, for relations to parts of it. */
function relations(parts: ReadonlyMap<string, Buffer>, path: string): Map<string, string> {
  const file = posix.join(posix.dirname(path), '_rels', `${posix.basename(path)}.rels`);
  if (!parts.has(file)) return new Map();
  return new Map(
    find(parse(parts, file), 'Relationship').map((node) => [
      attribute(node, 'Id'),
      posix.join('/', posix.dirname(path), attribute(node, 'Target')).slice(1),
    ]),
  );
}

function parse(parts: ReadonlyMap<string, Buffer>, path: string): Node[] {
  const text = parts.get(path)?.toString('utf8') ?? '';
  // Office writes no DOCTYPE; one would define entities.
  if (text.includes('<!DOCTYPE')) throw new ZipError('a document type in an Office document');
  return parser.parse(text) as Node[];
}
