import { readFileInside, type Tool, type ToolContext, type ToolResult, textStart } from '@fucina/shared';
import * as z from 'zod';
import { type AskedFile, type CodeToolNeeds, failure, openFile, placeOf } from './asked-file.ts';
import type { Position } from './position.ts';
import { absolutePath, pathInProject } from './workspace-edit.ts';

const input = z.strictObject({
  azione: z.enum(['definizione', 'riferimenti', 'info', 'simboli', 'correzioni']),
  percorso: z.string().min(1).max(4096),
  simbolo: z.string().min(1).max(200).optional(),
  riga: z.int().min(1).optional(),
});
type Input = z.infer<typeof input>;

const MAX_PLACES = 40;
const MAX_SYMBOLS = 150;
const MAX_LINE = 160;
const MAX_HOVER = 2_000;
const MAX_FILE_BYTES = 1024 * 1024;

/** Symbol kinds of the protocol that are worth a line in an outline. */
const KINDS: Readonly<Record<number, string>> = {
  2: 'module',
  3: 'namespace',
  5: 'class',
  6: 'method',
  7: 'property',
  9: 'constructor',
  10: 'enum',
  11: 'interface',
  12: 'function',
  13: 'variable',
  14: 'constant',
  22: 'enum member',
  23: 'struct',
  26: 'type',
};

export function createNavigateTool({ servers, inOrder, tellRecentFiles }: CodeToolNeeds): Tool<Input> {
  return {
    name: 'code_navigate',
    description:
      'Ask the language server: definizione, riferimenti or info (type, documentation) of simbolo in percorso, where it ' +
      'first occurs or on riga; simboli lists those of a file; correzioni lists the fixes it offers on riga.',
    category: 'base',
    effect: 'read',
    gate: null,
    input,
    action: ({ percorso, simbolo, azione }) => ({
      tipo: 'code_navigate',
      percorso,
      azione,
      ...(simbolo && { simbolo }),
    }),
    run: (wanted, context) =>
      inOrder(context.folder, async () => {
        const file = await openFile(servers, context.folder, wanted.percorso);
        if ('content' in file) return file;
        if (wanted.azione === 'riferimenti') await tellRecentFiles(file.server, context.folder, context.signal);
        return answer(file, wanted, context);
      }),
  };
}

async function answer(file: AskedFile, wanted: Input, context: ToolContext): Promise<ToolResult> {
  const { connection } = file.server;
  const textDocument = { uri: file.uri };
  if (wanted.azione === 'simboli') {
    return outline(file, (await connection.sendRequest('textDocument/documentSymbol', { textDocument })) as Outline);
  }
  if (wanted.azione === 'correzioni') return fixes(file, wanted.riga);
  if (wanted.simbolo === undefined) return failure(`${wanted.azione} needs simbolo.`);
  const position = placeOf(file, wanted.simbolo, wanted.riga);
  if ('content' in position) return position;
  const at = { textDocument, position };
  switch (wanted.azione) {
    case 'info':
      return hover((await connection.sendRequest('textDocument/hover', at)) as Hover);
    case 'definizione':
      return places(context.folder, (await connection.sendRequest('textDocument/definition', at)) as Found);
    case 'riferimenti': {
      const asked = { ...at, context: { includeDeclaration: true } };
      return places(context.folder, (await connection.sendRequest('textDocument/references', asked)) as Found);
    }
  }
}

interface Location {
  uri: string;
  range: { start: Position };
}
type Found = Location | readonly Location[] | null;
type Hover = { contents: unknown } | null;

interface DocumentSymbol {
  name: string;
  kind: number;
  range?: { start: Position };
  location?: { range: { start: Position } };
  children?: readonly DocumentSymbol[];
}
type Outline = readonly DocumentSymbol[] | null;

/** Each place with its line, at most forty. */
async function places(folder: string, found: Found): Promise<ToolResult> {
  const all = found === null ? [] : [found].flat();
  if (all.length === 0) return { content: 'Nothing found.' };
  const texts = new Map<string, Promise<string[]>>();
  const lines = all.slice(0, MAX_PLACES).map(async ({ uri, range }) => {
    const path = pathInProject(folder, uri);
    const place = `${path ?? absolutePath(uri) ?? uri}:${range.start.line + 1}`;
    if (path === undefined) return place;
    texts.set(path, texts.get(path) ?? linesOf(folder, path));
    return `${place}: ${cut((await texts.get(path))?.[range.start.line]?.trim() ?? '')}`;
  });
  const more = all.length > MAX_PLACES ? [`and ${all.length - MAX_PLACES} more`] : [];
  return { content: [...(await Promise.all(lines)), ...more].join('\n') };
}

/** Empty for a file that cannot be read: then the place is shown without its text. */
const linesOf = (folder: string, path: string): Promise<string[]> =>
  readFileInside(folder, path, MAX_FILE_BYTES).then(
    ({ bytes }) => bytes.toString('utf8').split('\n'),
    () => [],
  );

const cut = (text: string): string => (text.length > MAX_LINE ? `${textStart(text, MAX_LINE)}…` : text);

function hover(found: Hover): ToolResult {
  const parts = [found?.contents ?? []].flat() as (string | { value: string })[];
  const text = parts.map((part) => (typeof part === 'string' ? part : part.value)).join('\n');
  if (text.trim() === '') return { content: 'Nothing known.' };
  return { content: text.length > MAX_HOVER ? `${textStart(text, MAX_HOVER)} […]` : text };
}

function outline({ path }: AskedFile, found: Outline): ToolResult {
  const lines: string[] = [];
  const open = (found ?? []).map((symbol) => ({ symbol, depth: 0 }));
  for (let next = open.shift(); next && lines.length <= MAX_SYMBOLS; next = open.shift()) {
    const { symbol, depth } = next;
    const kind = KINDS[symbol.kind];
    const line = (symbol.range ?? symbol.location?.range)?.start.line ?? 0;
    if (kind === undefined) continue;
    lines.push(`${'  '.repeat(depth)}${line + 1} ${kind} ${cut(symbol.name)}`);
    // Locals of functions are no part of an outline.
    const isOpened = !['function', 'method', 'constructor', 'variable', 'constant', 'property'].includes(kind);
    if (isOpened) open.unshift(...(symbol.children ?? []).map((child) => ({ symbol: child, depth: depth + 1 })));
  }
  if (lines.length === 0) return { content: `${path} has no symbols.` };
  const isCut = lines.length > MAX_SYMBOLS;
  return { content: `${lines.slice(0, MAX_SYMBOLS).join('\n')}${isCut ? '\nand more' : ''}` };
}

async function fixes(file: AskedFile, line: number | undefined): Promise<ToolResult> {
  if (line === undefined) return failure('correzioni needs riga.');
  const { codeActionsAt } = await import('./code-actions.ts');
  const titles = (await codeActionsAt(file, line)).map(({ title }) => `- ${cut(title)}`);
  if (titles.length === 0) return { content: `No fixes for line ${line} of ${file.path}.` };
  return { content: `${titles.slice(0, MAX_PLACES).join('\n')}\nApply one with code_change (titolo).` };
}
