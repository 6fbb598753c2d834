import { listInside, type Tool } from '@fucina/shared';
import * as z from 'zod';
import { plural } from './cut.ts';
import { locate, shownPath } from './located-path.ts';
import type { ToolsNeeds } from './needs.ts';
import { roomIn } from './result-room.ts';
import { runRipgrep } from './ripgrep.ts';
import { pathFailureWithNames } from './suggested-paths.ts';

const MAX_FILES = 50_000;
const LIST_MS = 10_000;
const MAX_PER_FOLDER = [1000, 40, 20, 10, 5, 0];
const MAX_HIDDEN_NAMES = 12;
const LIST_BYTES = 12_000;

interface Folder {
  files: number;
  /** Second level: name → files below it, null for a file. */
  children: Map<string, number | null>;
}

interface Tree {
  folders: Map<string, Folder>;
  files: Set<string>;
  total: number;
}

const input = z.strictObject({ percorso: z.string().max(4096).optional() });

export function createListTool(needs: ToolsNeeds): Tool<z.infer<typeof input>> {
  return {
    name: 'elenca',
    description:
      'List the session folder, or one in it: two levels, folders first, with file counts. Ignored files are left out.',
    category: 'base',
    effect: 'read',
    gate: null,
    input,
    action: ({ percorso }, { folder }) => ({
      tipo: 'elenca',
      ...(percorso && { percorso: shownPath(percorso, folder) }),
    }),
    async run({ percorso = '' }, context) {
      const { signal, windowTokens } = context;
      const tree: Tree = { folders: new Map(), files: new Set(), total: 0 };
      try {
        const { root, path } = locate(percorso, context);
        const { entries } = await listInside(root, path);
        const { isStopped, ending } = await runRipgrep(needs, {
          root,
          path,
          args: ['--files'],
          signal,
          timeoutMs: LIST_MS,
          separator: '\0',
          onRecord: (path) => add(tree, path),
        });
        const isPartial = isStopped || ending !== 'exit';
        const hidden = entries
          .filter(
            ({ name, kind }) => name !== '.git' && !tree.folders.has(name) && !tree.files.has(name) && kind !== 'link',
          )
          .map(({ name, kind }) => (kind === 'folder' ? `${name}/` : name));
        const links = entries.filter(({ kind }) => kind === 'link').map(({ name }) => `${name} (link)`);
        return { content: render(tree, { hidden, links, isPartial, room: roomIn({ windowTokens }, LIST_BYTES) }) };
      } catch (error) {
        return pathFailureWithNames(error, percorso || '.', { needs, context });
      }
    },
  };
}

function add(tree: Tree, path: string): boolean {
  const [first = '', second, ...deeper] = path.replace(/^\.\//, '').split('/');
  tree.total++;
  if (second === undefined) {
    tree.files.add(first);
  } else {
    const folder = tree.folders.get(first) ?? { files: 0, children: new Map<string, number | null>() };
    folder.files++;
    const before = folder.children.get(second);
    folder.children.set(second, deeper.length === 0 ? null : (before ?? 0) + 1);
    tree.folders.set(first, folder);
  }
  return tree.total < MAX_FILES;
}

interface Around {
  hidden: string[];
  links: string[];
  isPartial: boolean;
  room: number;
}

function render(tree: Tree, around: Around): string {
  const some = around.isPartial ? 'at least ' : '';
  const head = `${some}${plural(tree.total, 'file')} in ${plural(tree.folders.size, 'top folder')}${around.isPartial ? ' (counting stopped early)' : ''}`;
  const hidden = around.hidden.sort(byName).slice(0, MAX_HIDDEN_NAMES);
  const more = around.hidden.length > hidden.length ? ` and ${around.hidden.length - hidden.length} more` : '';
  const foot = hidden.length > 0 ? [`Not listed (ignored or empty): ${hidden.join(', ')}${more}`] : [];
  for (const most of MAX_PER_FOLDER) {
    const text = [head, ...treeLines(tree, most), ...around.links.sort(byName), ...foot].join('\n');
    if (Buffer.byteLength(text) <= around.room) return text;
  }
  const lines = treeLines(tree, 0);
  let room = around.room - head.length - foot.join('').length - 80;
  const kept = lines.filter((line) => (room -= line.length + 1) > 0);
  return [head, ...kept, `[… ${lines.length - kept.length} more entries cut …]`, ...foot].join('\n');
}

function treeLines(tree: Tree, mostPerFolder: number): string[] {
  const lines: string[] = [];
  for (const [name, folder] of [...tree.folders].sort(([a], [b]) => byName(a, b))) {
    lines.push(`${name}/ (${plural(folder.files, 'file')})`);
    const children = [...folder.children].sort(
      ([a, x], [b, y]) => Number(x === null) - Number(y === null) || byName(a, b),
    );
    for (const [child, count] of children.slice(0, mostPerFolder)) {
      lines.push(count === null ? `  ${child}` : `  ${child}/ (${plural(count, 'file')})`);
    }
    const rest = children.length - mostPerFolder;
    if (rest > 0 && mostPerFolder > 0) lines.push(`  … ${rest} more`);
  }
  return [...lines, ...[...tree.files].sort(byName)];
}

function byName(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
