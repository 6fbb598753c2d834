// Settings shared by all bundles, and the modules that run beside their callers.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './lib.mjs';

/** Native parts stay outside. */
const NATIVE = [
  'better-sqlite3',
  'better-sqlite3-12',
  '@napi-rs/keyring',
  '@parcel/watcher',
  '@vscode/ripgrep',
  'node-llama-cpp',
  'node-pty',
  'playwright-core',
  'sharp',
];

/**
 * The file of each module that runs in a separate thread or process, by name: sources refer to it with `moduleBeside`.
 */
export function modulesBeside() {
  const modules = {};
  const folders = readdirSync(join(root, 'packages'))
    .map((name) => join(root, 'packages', name, 'src'))
    .filter((folder) => existsSync(folder));
  const sources = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => join(folder, path)),
  );
  for (const source of sources) {
    for (const [, name] of readFileSync(source, 'utf8').matchAll(/moduleBeside\(import\.meta\.url, '([\w-]+)'\)/g)) {
      if (modules[name]) throw new Error(`two modules beside their callers are named ${name}`);
      modules[name] = join(dirname(source), `${name}.ts`);
    }
  }
  return modules;
}

/** The entry point of each package: with a separate one, a package's files run at their first use. */
export function domains() {
  const names = readdirSync(join(root, 'packages')).filter((name) =>
    existsSync(join(root, 'packages', name, 'src/index.ts')),
  );
  return Object.fromEntries(
    names
      .filter((name) => name !== 'testkit')
      .map((name) => [`package-${name}`, join(root, 'packages', name, 'src/index.ts')]),
  );
}

/**
 * The validation library includes its messages in fifty languages, a tenth of what a start reads. Users see our own
 * texts, so only the English ones stay, for logs and models.
 */
const oneLanguage = {
  name: 'one-language',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** Only the connection code of undici: its fetch, caches and mocks are a third of what a first turn reads. */
const driverOnly = {
  name: 'driver-only',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, ({ resolveDir }) => ({
      path: 'undici',
      namespace: 'driver',
      pluginData: resolveDir,
    }));
    onLoad({ filter: /.*/, namespace: 'driver' }, ({ pluginData }) => ({
      // The whole package adds all its methods to this class; tunnels through proxies need this one.
      contents: `require('undici/lib/dispatcher/dispatcher.js').prototype.connect = require('undici/lib/api/api-connect.js');
      module.exports = {
        Agent: require('undici/lib/dispatcher/agent.js'),
        buildConnector: require('undici/lib/core/connect.js'),
      };`,
      resolveDir: pluginData,
    }));
  },
};

/** Express includes parsers for bodies and nested queries, with tables of forty encodings; the gateway has its own. */
const ownReaders = {
  name: 'own-readers',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(body-parser|qs)$/ }, ({ importer }) =>
      /[\\/]node_modules[\\/]express[\\/]/.test(importer) ? { path: 'none', namespace: 'own-readers' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'own-readers' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Media types: a table of a thousand entries is read at the first lookup. */
const lateMediaTypes = {
  name: 'late-media-types',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^mime-types$/ }, ({ namespace, resolveDir }) =>
      namespace === 'late' ? undefined : { path: resolveDir, namespace: 'late' },
    );
    onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => ({
      contents: ['charset', 'contentType', 'extension', 'lookup']
        .map((name) => `exports.${name} = (value) => require('mime-types').${name}(value);`)
        .join('\n'),
      resolveDir: path,
    }));
  },
};

/** Widths of text in a terminal: its expressions and tables are made for the first text that is not ASCII. */
const lateTextWidths = {
  name: 'late-text-widths',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^string-width$/ }, ({ namespace, resolveDir }) =>
      namespace === 'late-widths' ? undefined : { path: resolveDir, namespace: 'late-widths' },
    );
    onLoad({ filter: /.*/, namespace: 'late-widths' }, ({ path }) => ({
      contents: `module.exports = (text) => require('string-width').default(text);`,
      resolveDir: path,
    }));
  },
};

/** Bundles straight from the sources of every package. */
export const bundleOptions = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  conditions: ['@fucina/source'],
  external: NATIVE,
  // CommonJS parts of the bundle load Node's own modules with `require`, and use `__dirname`.
  define: { __dirname: 'import.meta.dirname' },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  plugins: [oneLanguage, driverOnly, ownReaders, lateMediaTypes, lateTextWidths],
  logLevel: 'warning',
};
