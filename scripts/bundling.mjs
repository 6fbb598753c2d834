// What every bundle of this workspace has in common, and which modules run beside their callers.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './lib.mjs';

/** Native parts stay outside. */
const NATIVE = [
  'better-sqlite3',
  'better-sqlite3-12',
  '@napi-rs/keyring',
  '@vscode/ripgrep',
  'node-llama-cpp',
  'node-pty',
  'playwright-core',
];

/** The file of each module that runs in a thread or a process of its own, by name: a source asks for it with `moduleBeside`. */
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

/** The door of each package: with one of its own, a package is in files of its own, which run at their first use. */
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
 * The validation library brings its own sentences in fifty languages, a tenth of what a start reads; what people see is
 * ours, so only the English ones stay, which go to logs and models.
 */
const oneLanguage = {
  name: 'one-language',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** Of the way out of this computer only what opens connections: its fetch, its caches and its mocks are a third of what a first turn reads. */
const driverOnly = {
  name: 'driver-only',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, ({ resolveDir }) => ({
      path: 'undici',
      namespace: 'driver',
      pluginData: resolveDir,
    }));
    onLoad({ filter: /.*/, namespace: 'driver' }, ({ pluginData }) => ({
      contents: `module.exports = {
        Agent: require('undici/lib/dispatcher/agent.js'),
        buildConnector: require('undici/lib/core/connect.js'),
      };`,
      resolveDir: pluginData,
    }));
  },
};

/** Express brings readers of bodies and of nested queries, with the tables of forty encodings; the gateway has its own. */
const ownReaders = {
  name: 'own-readers',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(body-parser|qs)$/ }, ({ importer }) =>
      /[\\/]node_modules[\\/]express[\\/]/.test(importer) ? { path: 'none', namespace: 'own-readers' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'own-readers' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** Names of media types: a table of a thousand entries is read when the first of them is asked for. */
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

/** Bundles straight from the sources of every package. */
export const bundleOptions = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  conditions: ['@fucina/source'],
  external: NATIVE,
  // CommonJS parts of the bundle ask for Node's own modules by `require`, and for their place by `__dirname`.
  define: { __dirname: 'import.meta.dirname' },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  plugins: [oneLanguage, driverOnly, ownReaders, lateMediaTypes],
  logLevel: 'warning',
};
