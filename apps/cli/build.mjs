import { chmod } from 'node:fs/promises';
import { build } from 'esbuild';
import { bundle } from '../../scripts/bundle.mjs';

await bundle(build, {
  entryPoints: { main: 'src/main.ts' },
  // The server stays a program of its own: `serve` loads its bundle.
  external: ['@fucina/server', 'react-devtools-core'],
  // Its CommonJS build asks for its own parts in a way that no bundler follows.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  // The screen's library has a build for its own developers, which asks for a program that is not here.
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
});
await chmod('dist/main.js', 0o755);
