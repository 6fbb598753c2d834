// Bundles an app into a folder of CommonJS files, with a file for every package and for every module that runs beside
// its caller.
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions, domains, modulesBeside } from './bundling.mjs';
import { toCommonJs } from './commonjs.mjs';

const ofExtensions = createRequire(new URL('../packages/extensions/package.json', import.meta.url));

/** `external`: modules that stay outside, beyond the native ones. */
export async function bundleApp({ folder, outdir, entryPoints, external }) {
  const options = {
    ...bundleOptions,
    absWorkingDir: folder,
    // The CommonJS parts of the bundle do not need these imports.
    banner: {},
    define: {},
    outdir,
    minifySyntax: true,
    minifyWhitespace: true,
    sourcesContent: false,
    external: [...bundleOptions.external, ...external],
    // Its CommonJS build loads its own parts in a way that no bundler supports.
    alias: { 'jsonc-parser': ofExtensions.resolve('jsonc-parser/lib/esm/main.js') },
  };
  const { outputFiles } = await build({
    ...options,
    entryPoints: { ...entryPoints, ...domains(), ...modulesBeside() },
    sourcemap: 'external',
    write: false,
  });
  const maps = new Map(outputFiles.map(({ path, text }) => [path, text]));

  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  await writeFile(join(outdir, 'package.json'), '{ "type": "commonjs" }\n');
  await Promise.all(
    outputFiles.map(async ({ path, text }) => {
      if (path.endsWith('.map')) return;
      const { code, map } = await toCommonJs(text, maps.get(`${path}.map`));
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
  await chmod(join(outdir, 'main.js'), 0o755);
}
