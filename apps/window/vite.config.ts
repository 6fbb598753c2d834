import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** For `vite` alone: where the server with the interface listens. */
const api = process.env.FUCINA_API ?? 'http://127.0.0.1:4174';

export default defineConfig(({ mode }) => ({
  plugins: [react()],
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
    // What the first load needs is one file: in the pieces that lazy parts share, it would be dozens that compress worse.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'core', tags: ['$initial'] }] } } },
  },
  server: { proxy: { '/api': api, '/openapi.json': api } },
}));
