import { cp, mkdir, realpath, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { TempRepo } from '@fucina/testkit';

/** The compiler of this repository: from version 7 on it is a language server. */
const TYPESCRIPT = dirname(
  createRequire(join(import.meta.dirname, '../../../package.json')).resolve('typescript/package.json'),
);
const PLATFORM = `typescript-${process.platform}-${process.arch}`;
const OPTIONS = { strict: true, noEmit: true, target: 'es2022', module: 'esnext', types: [] };

/** Makes it a project with its own copy of the compiler, since the sandbox shows no other folder. */
export async function addTypeScript(project: TempRepo): Promise<void> {
  await project.write({ 'tsconfig.json': JSON.stringify({ compilerOptions: OPTIONS, include: ['src'] }) });
  const folder = join(project.path, 'node_modules');
  const copy = (from: string, to: string) => cp(from, join(folder, to), { recursive: true });
  await copy(TYPESCRIPT, 'typescript');
  await copy(await realpath(join(TYPESCRIPT, '../@typescript', PLATFORM)), `@typescript/${PLATFORM}`);
  await mkdir(join(folder, '.bin'), { recursive: true });
  await symlink('../typescript/bin/tsc', join(folder, '.bin/tsc'));
}
