// The server and the command line, each one bundle with lazily loaded parts: what a start does not need is not read.
// `node ../../scripts/bundle.mjs` in the folder of the app writes its `dist/`.
import { chmod, rm } from 'node:fs/promises';
import { basename } from 'node:path';
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

/** Each runs in a thread or a process of its own, which asks for it by this name. */
const BESIDE = {
  'document-worker': '../../packages/tools/src/documents/document-worker.ts',
  'page-worker': '../../packages/browser/src/page-worker.ts',
  'header-worker': '../../packages/local-models/src/fit/header-worker.ts',
  'engine-main': '../../packages/local-models/src/engine/engine-main.ts',
  'engine-guard': '../../packages/local-models/src/engine/engine-guard.ts',
};

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
  entryPoints: { ...app.entryPoints, ...BESIDE },
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
