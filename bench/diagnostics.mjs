// Twenty seeded type errors, each in a session of its own, with and without a language server. The scripted model writes a
// file with an error, corrects it when a result shows the error, and runs the checker until it is satisfied.
import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../scripts/lib.mjs';
import { nowMs, round, startBench } from './lib.mjs';
import { PYTHON_BASE, PYTHON_ERRORS, TYPESCRIPT_BASE, TYPESCRIPT_ERRORS } from './seeded-errors.mjs';

const PAUSE_MS = 10;
const packageFolder = (from, name) => dirname(createRequire(join(root, from)).resolve(`${name}/package.json`));
const OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'es2022',
  lib: ['es2022'],
  module: 'preserve',
  types: [],
  allowImportingTsExtensions: true,
};

const PROJECTS = [
  {
    name: 'TypeScript',
    server: 'typescript',
    errors: TYPESCRIPT_ERRORS,
    ending: '.ts',
    check: 'node_modules/.bin/tsc -p .',
    files: {
      'tsconfig.json': JSON.stringify({ compilerOptions: OPTIONS, include: ['src'] }),
      'src/base.ts': TYPESCRIPT_BASE,
    },
    install(folder) {
      const own = packageFolder('package.json', 'typescript');
      const platform = `@typescript/typescript-${process.platform}-${process.arch}`;
      cpSync(own, join(folder, 'typescript'), { recursive: true });
      cpSync(realpathSync(join(own, '..', platform)), join(folder, platform), { recursive: true });
      symlinkSync('../typescript/bin/tsc', join(folder, '.bin/tsc'));
    },
  },
  {
    name: 'Python',
    server: 'pyright',
    errors: PYTHON_ERRORS,
    ending: '.py',
    check: 'node_modules/.bin/pyright src',
    files: { 'src/base.py': PYTHON_BASE },
    install(folder) {
      cpSync(packageFolder('packages/language/package.json', 'pyright'), join(folder, 'pyright'), { recursive: true });
      symlinkSync('../pyright/langserver.index.js', join(folder, '.bin/pyright-langserver'));
      symlinkSync('../pyright/index.js', join(folder, '.bin/pyright'));
    },
  },
];

export async function run() {
  const rows = [];
  for (const project of PROJECTS) {
    const without = await measure(project, false);
    const helped = await measure(project, true);
    const count = project.errors.length;
    const method = `${count} seeded errors, a session each; the model corrects what a result shows and runs \`${project.check}\` until it passes`;
    rows.push(
      {
        figure: `${project.name}: model requests per error, without diagnostics`,
        value: round(without.requests / count),
        bar: '–',
        method,
      },
      {
        figure: `${project.name}: the same with diagnostics after edits`,
        value: round(helped.requests / count),
        bar: `< ${round(without.requests / count)}`,
        method: `${helped.reported} of ${count} errors were in the result of the edit; without, ${without.reported}`,
      },
      {
        figure: `${project.name}: runs of the checker per error, without and with`,
        value: `${round(without.checks / count)} / ${round(helped.checks / count)}`,
        bar: '–',
        method,
      },
      {
        figure: `${project.name}: seconds per error, without and with`,
        value: `${round(without.ms / count / 1000)} / ${round(helped.ms / count / 1000)}`,
        bar: '–',
        method: 'the scripted model answers at once, so this is tools and checks only',
      },
    );
  }
  return rows;
}

async function measure(project, isHelped) {
  const { createModelServer } = await import(pathToFileURL(join(root, 'packages/testkit/dist/index.js')).href);
  const model = await createModelServer({ script: () => ({ text: 'Hello.' }) });
  const bench = await startBench();
  const total = { requests: 0, checks: 0, reported: 0, ms: 0 };
  try {
    await bench.api('POST', '/providers/ollama/runtime', { endpoint: model.url, timeoutSeconds: 60 });
    const cartella = prepare(project, realpathSync(bench.project));
    if (isHelped) {
      const { server } = await bench.api('POST', `/ext/language-servers/${project.server}/trust`, { cartella });
      if (server.stato !== 'pronto') throw new Error(`${project.server}: ${server.stato} ${server.problema}`);
    }
    for (const error of project.errors) {
      const path = `src/${error.name}${project.ending}`;
      model.script(corrects({ path, error, check: project.check, total }));
      const startedAt = nowMs();
      await over(bench, await bench.start());
      total.ms += nowMs() - startedAt;
    }
    return total;
  } finally {
    await bench.close();
    await model[Symbol.asyncDispose]();
  }
}

function prepare({ files, install }, folder) {
  mkdirSync(join(folder, 'src'));
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(folder, path), text);
  install(join(folder, 'node_modules'));
  return folder;
}

/** Looks at the base file, writes, corrects what is reported, and checks. */
function corrects({ path, error, check, total }) {
  let state = 'looking';
  const call = (name, args) => ({ toolCalls: [{ name, arguments: args }] });
  const write = (contenuto) => call('scrivi', { percorso: path, contenuto });
  const verify = () => {
    total.checks += 1;
    state = 'checking';
    return call('shell', { comando: check });
  };
  return ({ lastText }) => {
    total.requests += 1;
    const isReported = /\berror\b/.test(lastText) && !/\b0 errors\b/.test(lastText);
    if (state === 'looking') {
      state = 'reading';
      return call('leggi', { percorso: path.endsWith('.ts') ? 'src/base.ts' : 'src/base.py' });
    }
    if (state === 'reading') {
      state = 'written';
      return write(error.wrong);
    }
    if (state === 'written' && isReported) total.reported += 1;
    if (state !== 'corrected' && isReported) {
      state = 'corrected';
      return write(error.right);
    }
    return state === 'checking' ? { text: 'Done.' } : verify();
  };
}

async function over({ api }, id) {
  for (;;) {
    const { items } = await api('GET', '/sessions');
    if (items.find(({ sessionId }) => sessionId === id).conclusa) return;
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
}
