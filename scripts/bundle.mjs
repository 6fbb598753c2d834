// The server and the command line, each one bundle with lazily loaded parts: what a start does not need is not read.
// `node ../../scripts/bundle.mjs` in the folder of the app writes its `dist/`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';

const APPS = {
  server: { entryPoints: { main: 'src/main.ts', server: 'src/server.ts' }, external: [], alias: {} },
  cli: {
    entryPoints: { main: 'src/main.ts' },
    // The server stays a program of its own: `serve` loads its bundle.
    external: ['@fucina/server'],
    // Its CommonJS build asks for its own parts in a way that no bundler follows.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  },
};

/** Native parts stay outside. */
const NATIVE = [
  'better-sqlite3',
  'better-sqlite3-12',
  '@napi-rs/keyring',
  '@vscode/ripgrep',
  'node-llama-cpp',
  'node-pty',
  'playwright-core',
];

/** What runs in a thread or a process of its own, by name: every module that a source asks for with `moduleBeside`. */
function modulesBeside() {
  const modules = {};
  const folders = readdirSync('../../packages')
    .map((name) => join('../../packages', name, 'src'))
    .filter((folder) => existsSync(folder));
  const sources = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(folder, path)),
  );
  for (const source of sources) {
    for (const [, name] of readFileSync(source, 'utf8').matchAll(/moduleBeside\(import\.meta\.url, '([\w-]+)'\)/g)) {
      if (modules[name]) throw new Error(`two modules beside their callers are named ${name}`);
      modules[name] = join(dirname(source), `${name}.ts`);
    }
  }
  return modules;
}

/**
 * The validation library brings its own sentences in fifty languages, a tenth of what a start reads; what people see is
 * ours, so only the English ones stay, which go to logs and models.
 */
const oneLanguage = {
  name: 'one-language',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** Of the way out of this computer only what opens connections: its fetch, its caches and its mocks are a third of what a first turn reads. */
const driverOnly = {
  name: 'driver-only',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, ({ resolveDir }) => ({
      path: 'undici',
      namespace: 'driver',
      pluginData: resolveDir,
    }));
    onLoad({ filter: /.*/, namespace: 'driver' }, ({ pluginData }) => ({
      contents: `module.exports = {
        Agent: require('undici/lib/dispatcher/agent.js'),
        buildConnector: require('undici/lib/core/connect.js'),
      };`,
      resolveDir: pluginData,
    }));
  },
};

const app = APPS[basename(process.cwd())];

await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: { ...app.entryPoints, ...modulesBeside() },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: 'linked',
  sourcesContent: false,
  conditions: ['@fucina/source'],
  external: [...NATIVE, ...app.external],
  alias: app.alias,
  // CommonJS parts of the bundle ask for Node's own modules by `require`, and for their place by `__dirname`.
  define: { __dirname: 'import.meta.dirname' },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  plugins: [oneLanguage, driverOnly],
  logLevel: 'warning',
});
await chmod('dist/main.js', 0o755);
