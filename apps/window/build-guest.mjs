// The scripts of the sandboxed pages: one self-contained file each, under the name that the server's page requests.
import { build } from 'vite';

const READERS = {
  document: 'lettore-ospite-documento',
  presentation: 'lettore-ospite-presentazione',
  diagram: 'diagrammi',
};

for (const [source, name] of Object.entries(READERS)) {
  await build({
    configFile: false,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    build: {
      target: 'es2023',
      emptyOutDir: false,
      outDir: 'dist',
      lib: { entry: `src/guest/${source}.ts`, formats: ['iife'], name: 'guest', fileName: () => `${name}.js` },
    },
  });
}
