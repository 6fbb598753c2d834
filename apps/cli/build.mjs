// One bundle with lazily loaded parts, as for the server, which stays a program of its own: `serve` loads its bundle.
import { chmod, rm } from 'node:fs/promises';
import { build } from 'esbuild';

await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: {
    main: 'src/main.ts',
    // Each runs in a thread of its own, which asks for it by this name.
    'document-worker': '../../packages/tools/src/documents/document-worker.ts',
    'page-worker': '../../packages/browser/src/page-worker.ts',
    'header-worker': '../../packages/local-models/src/fit/header-worker.ts',
    // Each a process of its own.
    'engine-main': '../../packages/local-models/src/engine/engine-main.ts',
    'engine-guard': '../../packages/local-models/src/engine/engine-guard.ts',
  },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  keepNames: true,
  sourcemap: 'linked',
  sourcesContent: false,
  conditions: ['@fucina/source'],
  external: [
    '@fucina/server',
    'better-sqlite3',
    '@napi-rs/keyring',
    '@vscode/ripgrep',
    'node-llama-cpp',
    'node-pty',
    'playwright-core',
    'react-devtools-core',
  ],
  // Its CommonJS build asks for its own parts in a way that no bundler follows.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  // CommonJS parts of the bundle ask for Node's own modules by `require`, and for their place by `__dirname`.
  define: {
    __dirname: 'import.meta.dirname',
    // The screen's library has a build for its own developers, which asks for a program that is not here.
    'process.env.NODE_ENV': '"production"',
    'process.env.DEV': '"false"',
  },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
await chmod('dist/main.js', 0o755);
