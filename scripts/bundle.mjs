// How the server and the command line become one bundle each, with lazily loaded parts: what a start does not need is not read.
import { rm } from 'node:fs/promises';

/** Native parts stay outside. */
const NATIVE = [
  'better-sqlite3',
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

/** Writes `dist/` of the app this runs in; `build` is its own esbuild. */
export async function bundle(build, { entryPoints, external = [], define = {}, alias = {} }) {
  await rm('dist', { recursive: true, force: true });
  await build({
    entryPoints: { ...entryPoints, ...BESIDE },
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
    external: [...NATIVE, ...external],
    alias,
    // CommonJS parts of the bundle ask for Node's own modules by `require`, and for their place by `__dirname`.
    define: { __dirname: 'import.meta.dirname', ...define },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    plugins: [oneLanguage],
    logLevel: 'warning',
  });
}
