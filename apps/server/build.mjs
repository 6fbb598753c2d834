import { build } from 'esbuild';
import { bundle } from '../../scripts/bundle.mjs';

await bundle(build, { entryPoints: { main: 'src/main.ts', server: 'src/server.ts' } });
