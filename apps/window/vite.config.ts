import { THEMES } from '@fucina/shared/themes';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** For `vite` only: address of the server with the interface. */
const api = process.env.FUCINA_API ?? 'http://127.0.0.1:4174';

const THEMES_CSS = 'virtual:themes.css';

/** One rule per theme and mode: the first load contains no colors in its script. */
const themes: Plugin = {
  name: 'themes',
  resolveId: (id) => (id === THEMES_CSS ? `\0${THEMES_CSS}` : undefined),
  load: (id) => (id === `\0${THEMES_CSS}` ? themesCss() : undefined),
};

function themesCss(): string {
  const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Object.entries(THEMES)
    .flatMap(([theme, modes]) =>
      Object.entries(modes).map(([mode, tokens]) => {
        const colours = Object.entries(tokens).map(([name, colour]) => `--${kebab(name)}: ${colour};`);
        return `:root[data-theme="${theme}"][data-mode="${mode}"] { ${colours.join(' ')} }`;
      }),
    )
    .join('\n');
}

export default defineConfig(({ mode }) => ({
  plugins: [react(), themes],
  resolve: {
    conditions: ['@fucina/source', 'module', 'browser', mode === 'production' ? 'production' : 'development'],
  },
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    assetsDir: 'assets',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    // The first load is one file: the chunks shared by lazy parts would be dozens that compress worse.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Runs before the rest of the first load has arrived.
            { name: 'boot', test: /src\/(boot|ambient|first-requests|words\/first-words)\.ts$/, priority: 1 },
            { name: 'core', tags: ['$initial'] },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': api, '/openapi.json': api } },
}));
