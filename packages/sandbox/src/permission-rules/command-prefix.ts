import type { ShellCommand, Word } from './parsed-line.ts';
import { readShellLine } from './shell-line.ts';

const setOf = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Commands that only read what their arguments name; the program is the prefix. */
const READERS = setOf(
  'ls cat head tail wc pwd grep egrep fgrep rg stat du df which basename dirname echo true false uname cut tr nl cmp diff ' +
    'comm md5sum sha1sum sha256sum',
);
/** Test runners, linters and type checkers: they run what stands in the project, as `npm test` does. */
const CHECKERS = setOf('pytest jest vitest mocha rspec phpunit tsc eslint mypy');

/** Subcommands that belong to the prefix. Others could do anything with other arguments: these never widen. */
const SUBCOMMANDS: Readonly<Record<string, ReadonlySet<string>>> = {
  git: setOf('status diff log show blame shortlog describe rev-parse ls-files add commit'),
  cargo: setOf('test build check clippy fmt doc bench'),
  go: setOf('test build vet fmt list'),
  ruff: setOf('check format'),
  biome: setOf('check lint format ci'),
};

/** Programs that run a script of the project by its name. */
const SCRIPT_RUNNERS = setOf('npm pnpm yarn');
const SCRIPTS = setOf('test t start');
const SCRIPT_OPTIONS = /^(-s|--silent|--if-present|--workspaces|-ws|-w|--workspace(=[\w@./-]+)?)$/;

/** Options that start another program, load other settings or write a file. */
const WIDENING: Readonly<Record<string, readonly string[]>> = {
  git: ['output', 'exec', 'upload-pack', 'ext-diff', 'textconv', 'no-index', 'template'],
  cargo: ['config', 'manifest-path', 'C', 'Z'],
  go: ['exec', 'toolexec', 'vettool', 'overlay', 'modfile', 'C', 'o'],
  rg: ['pre', 'hostname-bin'],
  mypy: ['python-executable', 'install-types'],
};

const MAX_PREFIXES = 8;

/**
 * What an approval of this command line covers for the rest of a session: of each of its commands the program and what
 * names the task, as `npm test` or `git status`. Empty for a line that never widens, because another argument, wrapper,
 * redirect or variable could make something else of it: the approval then covers this very line.
 */
export async function commandPrefixes(line: string): Promise<readonly string[]> {
  const { commands, inputs, outputs, isClear, hasSideEffects } = await readShellLine(line);
  if (!isClear || hasSideEffects || inputs.length + outputs.length > 0) return [];
  const prefixes = new Set(commands.map(prefixOf));
  return prefixes.has(undefined) || prefixes.size > MAX_PREFIXES ? [] : ([...prefixes] as string[]);
}

function prefixOf({ words }: ShellCommand): string | undefined {
  const known = words.filter((word) => word !== null);
  if (known.length < words.length || known.slice(1).some(leadsOutside)) return undefined;
  const [program = '', ...rest] = known;
  if (widens(program, rest)) return undefined;
  if (READERS.has(program) || CHECKERS.has(program)) return program;
  if (program === 'cd') return rest.length === 1 && !rest[0]?.startsWith('-') ? `cd ${rest[0]}` : undefined;
  if (SCRIPT_RUNNERS.has(program)) return scriptPrefix(program, rest);
  const [subcommand = ''] = rest;
  return Object.hasOwn(SUBCOMMANDS, program) && SUBCOMMANDS[program]?.has(subcommand)
    ? `${program} ${subcommand}`
    : undefined;
}

/** `npm test`, `npm run build`. Options behind it reach the package manager, unless `--` is before them. */
function scriptPrefix(program: string, [task = '', ...rest]: readonly string[]): string | undefined {
  const isNamed = task === 'run' || task === 'run-script';
  const [script = ''] = rest;
  if (isNamed ? !/^[A-Za-z][\w:.-]*$/.test(script) : !SCRIPTS.has(task)) return undefined;
  const behind = isNamed ? rest.slice(1) : rest;
  const end = behind.indexOf('--');
  const own = (end < 0 ? behind : behind.slice(0, end)).filter((word) => word.startsWith('-'));
  if (!own.every((word) => SCRIPT_OPTIONS.test(word))) return undefined;
  return isNamed ? `${program} run ${script}` : `${program} ${task}`;
}

/** An absolute path, one in the home, or one above the folder, also behind an option. */
function leadsOutside(word: Word): boolean {
  return word !== null && /(^|[=:,]|^-\w)[/~]|(^|[/=:,]|^-\w)\.\.(\/|$)/.test(word);
}

/** Long options may be abbreviated. */
function widens(program: string, words: readonly string[]): boolean {
  const options = Object.hasOwn(WIDENING, program) ? (WIDENING[program] ?? []) : [];
  return words.some((word) => {
    const [, dashes = '', name = ''] = /^(--?)([A-Za-z][\w-]*)/.exec(word) ?? [];
    if (dashes === '' || name === '') return false;
    return options.some((option) =>
      option.length === 1
        ? name === option || (dashes === '-' && name.startsWith(option))
        : option.startsWith(name) && name.length > 1,
    );
  });
}
