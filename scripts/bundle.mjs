// The server and the command line: each a program of CommonJS files, of which a start reads those it needs, and the code
// that V8 compiled of them. `node ../../scripts/bundle.mjs` in the folder of the app writes its `dist/`.
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions, domains, modulesBeside } from './bundling.mjs';
import { toCommonJs } from './commonjs.mjs';
import { recordCode } from './record-code.mjs';

const APPS = {
  server: { entryPoints: { program: 'src/main.ts', server: 'src/server.ts' }, external: [] },
  cli: {
    entryPoints: { program: 'src/main.ts' },
    // The server stays a separate program: `serve` loads its bundle.
    external: ['@fucina/server'],
  },
};

const ofExtensions = createRequire(new URL('../packages/extensions/package.json', import.meta.url));
const name = basename(process.cwd());
const app = APPS[name];
const options = {
  ...bundleOptions,
  // The CommonJS parts of the bundle do not need these imports.
  banner: {},
  define: {},
  outdir: 'dist',
  minifySyntax: true,
  minifyWhitespace: true,
  sourcesContent: false,
  external: [...bundleOptions.external, ...app.external],
  // Its CommonJS build loads its own parts in a way that no bundler supports.
  alias: { 'jsonc-parser': ofExtensions.resolve('jsonc-parser/lib/esm/main.js') },
};
const { outputFiles, metafile } = await build({
  ...options,
  entryPoints: { ...app.entryPoints, ...domains(), ...modulesBeside() },
  sourcemap: 'external',
  metafile: true,
  write: false,
});
const maps = new Map(outputFiles.map(({ path, text }) => [path, text]));

/** Our own modules only declare things when they run, so they may run at first use. */
function isOurs(file) {
  const inputs = Object.keys(metafile.outputs[`dist/${file}`].inputs);
  return inputs.length > 0 && inputs.every((path) => path.endsWith('.ts') && !path.includes('node_modules'));
}

await rm('dist', { recursive: true, force: true });
await mkdir('dist');
await writeFile('dist/package.json', '{ "type": "commonjs" }\n');
await Promise.all(
  outputFiles.map(async ({ path, text }) => {
    if (path.endsWith('.map')) return;
    const { code, map } = await toCommonJs(text, maps.get(`${path}.map`), isOurs);
    await writeFile(path, `${code}//# sourceMappingURL=${basename(path)}.map\n`);
    await writeFile(`${path}.map`, map);
  }),
);
await build({
  ...options,
  entryPoints: { main: 'src/entry.ts' },
  splitting: false,
  format: 'cjs',
  define: { 'import.meta.dirname': '__dirname' },
});
await chmod('dist/main.js', 0o755);
await recordCode(name, join(process.cwd(), 'dist'));
