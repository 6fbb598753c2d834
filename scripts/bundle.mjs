// The server and the command line, each one bundle with lazily loaded parts: what a start does not need is not read.
// `node ../../scripts/bundle.mjs` in the folder of the app writes its `dist/`.
import { chmod, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions, modulesBeside } from './bundling.mjs';

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

const app = APPS[basename(process.cwd())];

await rm('dist', { recursive: true, force: true });
await build({
  ...bundleOptions,
  entryPoints: { ...app.entryPoints, ...modulesBeside() },
  outdir: 'dist',
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: 'linked',
  sourcesContent: false,
  external: [...bundleOptions.external, ...app.external],
  alias: app.alias,
});
await chmod('dist/main.js', 0o755);
