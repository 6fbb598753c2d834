import { mkdir, readdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { type Ambient, type Environment, systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { createLanguage, type Language, type LanguageNeeds } from '../src/index.ts';

const require = createRequire(import.meta.url);
const packageFolder = (name: string): string => dirname(require.resolve(`${name}/package.json`));
/** The compiler of this repository: from version 7 on it is a language server. */
const TYPESCRIPT = dirname(
  createRequire(join(import.meta.dirname, '../../../package.json')).resolve('typescript/package.json'),
);

export const TSCONFIG = JSON.stringify({
  compilerOptions: { strict: true, noEmit: true, target: 'es2022', module: 'esnext', types: [] },
});

type ServerName = 'typescript' | 'typescript-language-server' | 'pyright';

/** A project with a server in its `node_modules`, as an installation leaves it. */
export async function projectWith(server: ServerName, files: Record<string, string>) {
  const temporary = await tempDir();
  const folder = await realpath(temporary.path);
  const bin = join(folder, 'node_modules/.bin');
  await mkdir(bin, { recursive: true });
  const link = async (name: string, target: string): Promise<void> =>
    symlink(target, join(folder, 'node_modules', name));
  if (server === 'typescript') {
    await link('typescript', TYPESCRIPT);
    await symlink(join(TYPESCRIPT, 'bin/tsc'), join(bin, 'tsc'));
  } else if (server === 'pyright') {
    await link('pyright', packageFolder('pyright'));
    await symlink(join(packageFolder('pyright'), 'langserver.index.js'), join(bin, 'pyright-langserver'));
  } else {
    await link('typescript', packageFolder('typescript-5'));
    await link(server, packageFolder(server));
    await symlink(join(packageFolder(server), 'lib/cli.mjs'), join(bin, server));
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return { folder, [Symbol.asyncDispose]: () => temporary[Symbol.asyncDispose]() };
}

/** The system's, with time for a slow machine: what takes a second or more to give up takes 20 times as long. */
function patientAmbient(): Ambient {
  const system = systemAmbient('silent');
  return { ...system, timer: (ms, act) => system.timer(ms < 1_000 ? ms : ms * 20, act) };
}

/** Without a sandbox: what it does is tested where it is made. */
export function languageFor(given: Partial<LanguageNeeds> = {}): Language {
  const environment: Environment = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, HOME: process.env.HOME };
  return createLanguage({
    ambient: patientAmbient(),
    environment,
    contain: async ({ argv, folder }) => ({
      argv,
      cwd: folder,
      extraEnvironment: {},
      isContainer: false,
      files: [],
      release: async () => undefined,
    }),
    trust: { isTrusted: async () => true, trust: async () => undefined },
    watch: () => () => undefined,
    changeFiles: async () => [],
    formattersFile: '/nonexistent/formatters.json',
    listFiles: async (folder) => (await readdir(folder)).filter((name) => name.includes('.')),
    ...given,
  });
}
