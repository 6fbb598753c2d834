// One bundle with lazily loaded parts, as for the server, which stays a program of its own: `serve` loads its bundle.
import { chmod, rm } from 'node:fs/promises';
import { build } from 'esbuild';

await rm('dist', { recursive: true, force: true });
await build({
  entryPoints: ['src/main.ts'],
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
  external: ['@fucina/server', 'better-sqlite3', '@napi-rs/keyring', '@vscode/ripgrep'],
  // CommonJS parts of the bundle ask for Node's own modules by `require`.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
await chmod('dist/main.js', 0o755);
