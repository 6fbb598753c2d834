import { listInside, PathError, readFileInside } from '@fucina/shared';

const MAX_BYTES = 512 * 1024;

/** The test command of a folder, by its top-level files; undefined when unknown. Reads only, starts nothing. */
export async function detectTestCommand(folder: string): Promise<string | undefined> {
  const names = await topNames(folder);
  const has = (name: string): boolean => names.has(name);
  return (
    (has('package.json') ? await scriptCommand(folder, has) : undefined) ??
    (await makeCommand(folder, has)) ??
    (await pythonCommand(folder, has)) ??
    buildToolCommand(has)
  );
}

type Has = (name: string) => boolean;

function buildToolCommand(has: Has): string | undefined {
  if (has('Cargo.toml')) return 'cargo test';
  if (has('go.mod')) return 'go test ./...';
  if (has('pom.xml')) return has('mvnw') ? './mvnw -q test' : 'mvn -q test';
  if (has('build.gradle') || has('build.gradle.kts')) return has('gradlew') ? './gradlew test' : 'gradle test';
  if (has('mix.exs')) return 'mix test';
  if (has('Package.swift')) return 'swift test';
  if (has('deno.json') || has('deno.jsonc')) return 'deno test';
  return undefined;
}

async function scriptCommand(folder: string, has: Has): Promise<string | undefined> {
  const text = await textOf(folder, 'package.json');
  let script: unknown;
  try {
    script = (JSON.parse(text ?? '') as { scripts?: { test?: unknown } } | null)?.scripts?.test;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  // Written by `npm init` when there are no tests.
  if (typeof script !== 'string' || script.trim() === '' || script.includes('no test specified')) return undefined;
  if (has('pnpm-lock.yaml')) return 'pnpm test';
  if (has('yarn.lock')) return 'yarn test';
  if (has('bun.lock') || has('bun.lockb')) return 'bun run test';
  return 'npm test';
}

async function makeCommand(folder: string, has: Has): Promise<string | undefined> {
  const name = ['GNUmakefile', 'makefile', 'Makefile'].find(has);
  if (name === undefined) return undefined;
  const text = await textOf(folder, name);
  return text?.split('\n').some((line) => /^(test|check)\s*:(?!=)/.test(line))
    ? `make ${/^test\s*:(?!=)/m.test(text) ? 'test' : 'check'}`
    : undefined;
}

async function pythonCommand(folder: string, has: Has): Promise<string | undefined> {
  const pytest = 'python3 -m pytest -q';
  if (has('pytest.ini') || has('conftest.py') || has('.pytest.ini')) return pytest;
  if (has('tox.ini') && (await textOf(folder, 'tox.ini'))?.includes('[pytest]')) return pytest;
  if (has('setup.cfg') && (await textOf(folder, 'setup.cfg'))?.includes('[tool:pytest]')) return pytest;
  if (!has('pyproject.toml')) return undefined;
  const isTested = (await textOf(folder, 'pyproject.toml'))?.includes('pytest') || has('tests') || has('test');
  return isTested ? pytest : undefined;
}

async function topNames(folder: string): Promise<ReadonlySet<string>> {
  const listing = await listInside(folder, '').catch(none);
  return new Set(listing?.entries.map((entry) => entry.name));
}

async function textOf(folder: string, name: string): Promise<string | undefined> {
  const file = await readFileInside(folder, name, MAX_BYTES).catch(none);
  return file?.bytes.toString('utf8');
}

/** An unreadable file counts as missing. */
function none(error: unknown): undefined {
  if (!(error instanceof PathError)) throw error;
}
