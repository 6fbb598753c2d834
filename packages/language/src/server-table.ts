/** A kind of language server: what it is called, which files it reads and how it starts. */
export interface ServerKind {
  /** For the user and the settings. */
  id: string;
  /** Name of its program in `node_modules/.bin` of the project or on PATH. */
  program: string;
  args: readonly string[];
  /** Language id of the protocol, by extension of file. */
  languages: Readonly<Record<string, string>>;
  /** Files at the root of projects in its languages; without any of them it is not listed until it is used. */
  markers?: readonly string[];
  /** Variables of its process only. */
  environment?: Readonly<Record<string, string>>;
  /** Sent to it when it starts. */
  options?: object;
  /** In a project: the package that must be there in at least this major version. */
  since?: { package: string; major: number };
  /** Only in the project: a program of this name on PATH is something else. */
  isOfProject?: boolean;
}

const TYPESCRIPT = {
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.tsx': 'typescriptreact',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.jsx': 'javascriptreact',
};
const TYPESCRIPT_MARKERS = ['package.json', 'tsconfig.json', 'jsconfig.json', 'deno.json'];
const PYTHON_MARKERS = ['pyproject.toml', 'setup.py', 'setup.cfg', 'requirements.txt', 'Pipfile', 'pyrightconfig.json'];
const PYTHON = { '.py': 'python', '.pyi': 'python' };
const C = { '.c': 'c', '.h': 'c', '.cc': 'cpp', '.cpp': 'cpp', '.cxx': 'cpp', '.hh': 'cpp', '.hpp': 'cpp' };

/** Of several for one language, the first that is found is used. Caches go to the temporary folder of the sandbox. */
export const SERVER_KINDS: readonly ServerKind[] = [
  {
    id: 'typescript',
    program: 'tsc',
    args: ['--lsp', '--stdio'],
    languages: TYPESCRIPT,
    since: { package: 'typescript', major: 7 },
    isOfProject: true,
  },
  { id: 'tsgo', program: 'tsgo', args: ['--lsp', '--stdio'], languages: TYPESCRIPT, markers: TYPESCRIPT_MARKERS },
  {
    id: 'typescript-language-server',
    program: 'typescript-language-server',
    args: ['--stdio'],
    languages: TYPESCRIPT,
    markers: TYPESCRIPT_MARKERS,
    // A second server would answer from the text of one file while the project is loaded.
    options: { tsserver: { useSyntaxServer: 'never' } },
  },
  {
    id: 'basedpyright',
    program: 'basedpyright-langserver',
    args: ['--stdio'],
    languages: PYTHON,
    markers: PYTHON_MARKERS,
  },
  { id: 'pyright', program: 'pyright-langserver', args: ['--stdio'], languages: PYTHON, markers: PYTHON_MARKERS },
  {
    id: 'gopls',
    program: 'gopls',
    args: [],
    languages: { '.go': 'go' },
    markers: ['go.mod', 'go.work'],
    environment: { GOCACHE: '/tmp/go-cache', GOTOOLCHAIN: 'local', GOPROXY: 'off' },
  },
  {
    id: 'rust-analyzer',
    program: 'rust-analyzer',
    args: [],
    languages: { '.rs': 'rust' },
    markers: ['Cargo.toml', 'rust-project.json'],
    environment: { CARGO_TARGET_DIR: '/tmp/target', CARGO_NET_OFFLINE: 'true' },
  },
  {
    id: 'clangd',
    program: 'clangd',
    args: ['--background-index=false'],
    languages: C,
    markers: ['compile_commands.json', 'CMakeLists.txt', 'Makefile', 'meson.build', '.clangd'],
  },
  {
    id: 'jdtls',
    program: 'jdtls',
    args: ['-data', '/tmp/jdtls'],
    languages: { '.java': 'java' },
    markers: ['pom.xml', 'build.gradle', 'build.gradle.kts'],
  },
];
