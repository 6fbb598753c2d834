/** A formatter that reads a file's text from its standard input and prints it formatted. */
export interface FormatterKind {
  id: string;
  /** Name of its program in `node_modules/.bin` of the project, or on PATH. */
  program: string;
  isOfProject: boolean;
  extensions: readonly string[];
  /** Files at the root of projects in its language; without any of them it is listed only while it is on. */
  markers?: readonly string[];
  /** `path`: relative to the project. */
  args(path: string): string[];
}

const SCRIPTS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '.json', '.jsonc', '.css', '.html'];

/** Of several for one kind of file, the first that is on is used. None of them is ever downloaded. */
export const FORMATTER_KINDS: readonly FormatterKind[] = [
  {
    id: 'biome',
    program: 'biome',
    isOfProject: true,
    extensions: SCRIPTS,
    args: (path) => ['format', `--stdin-file-path=${path}`],
  },
  {
    id: 'prettier',
    program: 'prettier',
    isOfProject: true,
    extensions: [...SCRIPTS, '.scss', '.less', '.vue', '.md', '.mdx', '.yaml', '.yml', '.graphql'],
    args: (path) => ['--stdin-filepath', path],
  },
  {
    id: 'ruff',
    program: 'ruff',
    isOfProject: false,
    extensions: ['.py', '.pyi'],
    markers: ['pyproject.toml', 'ruff.toml', '.ruff.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'Pipfile'],
    args: (path) => ['format', '--no-cache', '--stdin-filename', path, '-'],
  },
  {
    id: 'gofmt',
    program: 'gofmt',
    isOfProject: false,
    extensions: ['.go'],
    markers: ['go.mod', 'go.work'],
    args: () => [],
  },
  {
    id: 'rustfmt',
    program: 'rustfmt',
    isOfProject: false,
    extensions: ['.rs'],
    markers: ['Cargo.toml', 'rustfmt.toml', '.rustfmt.toml'],
    args: () => ['--emit', 'stdout', '--edition', '2021'],
  },
];
