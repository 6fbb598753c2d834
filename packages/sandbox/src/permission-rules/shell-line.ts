import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delayWasmOptimizing, once } from '@fucina/shared';
import type { Node, Parser } from 'web-tree-sitter';
import type { ShellCommand, ShellLine, Word } from './parsed-line.ts';
import { plainLine } from './plain-line.ts';

/** Plain single commands are parsed without the grammar. */
export async function readShellLine(line: string): Promise<ShellLine> {
  return plainLine(line, (words) => handedOver(words).length > 0) ?? (await grammarReader())(line);
}

/** The grammar of bash, loaded once and never unloaded. A system shell that supports less rejects the rest. */
export const grammarReader = once(async (): Promise<(line: string) => ShellLine> => {
  const parser = await openParser();
  return (line) => readLine(parser, line, 0);
});

async function openParser(): Promise<Parser> {
  const treeSitter = await import('web-tree-sitter');
  const { resolve } = createRequire(import.meta.url);
  const restore = delayWasmOptimizing();
  try {
    await treeSitter.Parser.init({ locateFile: () => resolve('web-tree-sitter/web-tree-sitter.wasm') });
    const grammar = await readFile(resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm'));
    return new treeSitter.Parser().setLanguage(await treeSitter.Language.load(grammar));
  } finally {
    restore();
  }
}

const MAX_LINE = 100_000;
/** Limit for nested shells. */
const MAX_DEPTH = 4;

const UNCLEAR: ShellLine = { commands: [], inputs: [], outputs: [], isClear: false, hasSideEffects: true };

function readLine(parser: Parser, line: string, depth: number): ShellLine {
  if (line.length > MAX_LINE || depth > MAX_DEPTH || line.includes('\0')) return UNCLEAR;
  const tree = parser.parse(line);
  if (!tree) return UNCLEAR;
  try {
    return readTree(parser, tree.rootNode, depth);
  } finally {
    tree.delete();
  }
}

function readTree(parser: Parser, root: Node, depth: number): ShellLine {
  const commands = root.descendantsOfType(['command', 'declaration_command', 'unset_command']).flatMap(present);
  const own = commands.map(commandOf);
  const inner = own.flatMap(({ words }) => handedOver(words)).map((text) => readText(parser, text, depth));
  const redirects = root.descendantsOfType('file_redirect').flatMap(present);
  const dependsOn = root.descendantsOfType(['variable_assignment', 'function_definition', 'declaration_command']);
  return {
    commands: [...own, ...inner.flatMap((line) => line.commands)],
    inputs: [...redirects.filter(readsFile).flatMap(targetOf), ...inner.flatMap((line) => line.inputs)],
    outputs: [...redirects.filter(writesFile).flatMap(targetOf), ...inner.flatMap((line) => line.outputs)],
    isClear: !root.hasError && own.every(({ words }) => words[0] !== null) && inner.every((line) => line.isClear),
    hasSideEffects: dependsOn.length > 0 || redirects.some(writesFile) || inner.some((line) => line.hasSideEffects),
  };
}

function readText(parser: Parser, text: Word, depth: number): ShellLine {
  return text === null ? UNCLEAR : readLine(parser, text, depth + 1);
}

function present(node: Node | null): Node[] {
  return node ? [node] : [];
}

function commandOf(command: Node): ShellCommand {
  const nodes = command.namedChildren.flatMap(present).filter(({ type }) => !NOT_WORDS.has(type));
  const spelled = nodes.flatMap(spell);
  const words = command.type === 'command' ? spelled : [command.child(0)?.text ?? null, ...spelled];
  const globs = nodes.flatMap(({ type, text }) => (type === 'word' && PLAIN_GLOB.test(text) ? [text] : []));
  return { words, ...(globs.length > 0 && { globs }) };
}

const PLAIN_GLOB = /^(?=.*[*?])(?!~)[\w.@%+,/*?-]+$/;

const NOT_WORDS = new Set([
  'variable_assignment',
  'file_redirect',
  'heredoc_redirect',
  'herestring_redirect',
  'comment',
]);

/** One word, or unknown if the shell could expand it to several or to another one. */
function spell(node: Node): Word[] {
  switch (node.type) {
    case 'command_name':
      return node.namedChildren.flatMap(present).flatMap(spell);
    case 'word':
      return [plainWord(node.text)];
    case 'number':
      return [node.text];
    case 'raw_string':
      return [node.text.slice(1, -1)];
    case 'string':
      return [quoted(node)];
    case 'concatenation':
      return [joined(node)];
    default:
      return [null];
  }
}

/** A name with wildcards expands to existing names; `~` at the beginning, or after `=` and `:`, to a folder. */
function plainWord(text: string): Word {
  if (/(?<!\\)[*?[{]|(?:^|[=:])~/.test(text)) return null;
  return text.replace(/\\\n/g, '').replace(/\\(.)/gs, '$1');
}

function quoted(node: Node): Word {
  const isLiteral = node.namedChildren.every((child) => child?.type === 'string_content');
  return isLiteral
    ? node.text
        .slice(1, -1)
        .replace(/\\\n/g, '')
        .replace(/\\([$`"\\])/g, '$1')
    : null;
}

function joined(node: Node): Word {
  const parts = node.namedChildren.flatMap(present).flatMap(spell);
  const text = node.namedChildren.flatMap(present).map((part) => part.text);
  // Characters between the parts belong to the word, too.
  if (text.join('') !== node.text || parts.includes(null)) return null;
  return parts.join('');
}

const SHELLS = new Set('sh bash dash zsh ksh mksh yash ash fish csh tcsh busybox'.split(' '));
/** They pass the argument after `-c` to a shell. */
const TAKE_LINES = new Set([...SHELLS, 'su', 'runuser', 'sg', 'script', 'flock']);
/** A word with spaces is a command line for them. */
const TAKE_WORDS = new Set(['watch', 'parallel']);

/** Arguments that a command runs as a command line. */
function handedOver(words: readonly Word[]): Word[] {
  return withoutWrappers(words).flatMap((rest) => {
    const name = baseName(rest[0] ?? null);
    if (name === null) return [];
    if (name === 'trap') return withoutOptions(rest.slice(1)).slice(0, 1);
    if (name === 'eval') return rest.includes(null) ? [null] : [rest.slice(1).join(' ')];
    if (TAKE_WORDS.has(name)) return rest.filter((word) => word === null || /\s/.test(word));
    if (!TAKE_LINES.has(name)) return [];
    const flag = rest.findIndex((word) => word !== null && /^-[a-z]*c[a-z]*$/i.test(word));
    if (flag >= 0) return [rest[flag + 1] ?? null];
    const before = words.slice(0, words.length - rest.length);
    return SHELLS.has(name) && before.every(isOfWrapper) && readsInput(rest.slice(1)) ? [null] : [];
  });
}

/** Whether a line, or a script that it names, is known only at run time: `$CMD x`, `source "$FILE"`, `bash *.sh`. */
export function runsUnknownText({ commands, isClear }: ShellLine): boolean {
  return !isClear || commands.some(({ words }) => withoutWrappers(words).some(runsUnknownFile));
}

function runsUnknownFile([first = null, ...rest]: readonly Word[]): boolean {
  const name = baseName(first);
  return name !== null && (SHELLS.has(name) || name === 'source' || name === '.') && rest.includes(null);
}

/** A wrapper, or its option, variable or number. After another word, as in `find -name sh`, a shell may be a mere name. */
function isOfWrapper(word: Word): boolean {
  if (word === null || /^-|=|^\d/.test(word)) return true;
  const name = baseName(word) ?? word;
  return WRAPPERS.has(name) && !SEARCHES.has(name);
}

const SEARCHES = new Set(['find', 'fd']);

/** A shell without a file to run: `| sh`, `bash -s`. */
function readsInput(words: readonly Word[]): boolean {
  const options = words.slice(0, words.length - withoutOptions(words).length);
  const has = (pattern: RegExp): boolean => options.some((word) => word !== null && pattern.test(word));
  return !has(ABOUT) && (options.length === words.length || has(READS_INPUT));
}

const ABOUT = /^--(version|help)$/;
const READS_INPUT = /^-[a-z]*s[a-z]*$/i;

function withoutOptions(words: readonly Word[]): readonly Word[] {
  const first = words.findIndex((word) => !word?.startsWith('-'));
  return first < 0 ? [] : words.slice(first);
}

/** Commands whose arguments name another command. */
const WRAPPERS = new Set(
  (
    'sudo doas pkexec su runuser sg env command builtin exec coproc nohup nice ionice chrt taskset prlimit time timeout ' +
    'xargs stdbuf setsid unshare nsenter chroot flock systemd-run fakeroot xvfb-run strace ltrace find fd parallel watch ' +
    'entr busybox'
  ).split(' '),
);

/** A command and, behind a wrapper, each position where the wrapped one could begin. */
export function withoutWrappers(words: readonly Word[]): (readonly Word[])[] {
  const name = baseName(words[0] ?? null);
  if (name === null || !WRAPPERS.has(name)) return [words];
  return words.map((_word, index) => words.slice(index));
}

/** `/usr/bin/rm` is `rm`. */
export function baseName(word: Word): Word {
  return word === null ? null : (word.split('/').at(-1) ?? word);
}

function targetOf(redirect: Node): Word[] {
  const target = redirect.childForFieldName('destination');
  return target ? spell(target) : [];
}

function readsFile(redirect: Node): boolean {
  return /^\d*<(?![>&])/.test(redirect.text);
}

function writesFile(redirect: Node): boolean {
  if (readsFile(redirect) || /^\d*[<>]&\d*-?$/.test(redirect.text)) return false;
  const target = redirect.childForFieldName('destination')?.text;
  return target !== '/dev/null' && !(target !== undefined && /^\d+$/.test(target) && /[<>]&/.test(redirect.text));
}
