// The server and the command line: each a program of CommonJS files, of which a start reads those it needs, and the code
// that V8 compiled of them. `node ../../scripts/bundle.mjs` in the folder of the app writes its `dist/`.
import { basename, join } from 'node:path';
import { bundleApp } from './bundle-app.mjs';
import { recordCode } from './record-code.mjs';

const APPS = {
  server: { entryPoints: { program: 'src/main.ts', server: 'src/server.ts' }, external: [] },
  cli: {
    entryPoints: { program: 'src/main.ts' },
    // The server stays a separate program: `serve` loads its bundle.
    external: ['@fucina/server'],
  },
};

const folder = process.cwd();
const name = basename(folder);
const outdir = join(folder, 'dist');
await bundleApp({ folder, outdir, ...APPS[name] });
await recordCode(outdir, [name]);
