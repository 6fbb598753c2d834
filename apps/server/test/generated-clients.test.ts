import { execFile, spawnSync } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TempDir, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { asOpenApi30 } from './openapi-30.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..', '..');
const openApiFile = join(root, 'apps', 'server', 'openapi.json');
/** The generators, and TypeScript 5, are dependencies of this package. */
const generators = join(root, 'packages', 'wire-types', 'node_modules', '.bin');

const COMPILERS = [join(root, 'node_modules', '.bin', 'tsc'), join(generators, 'tsc')];

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
  },
  include: ['**/*.ts'],
};

/** What a client does with an event: by type, and by the name of a CUSTOM event. */
const READER = `
export function textOf(event: SessionEvent): string {
  // @ts-expect-error: events without a text have none
  void event.delta;
  switch (event.type) {
    case 'TextMessageContent':
      return event.delta;
    case 'ApprovalRequested':
      return event.requestId;
    case 'CUSTOM':
      return event.name === 'svc.plan' ? event.value.content : event.name;
    default:
      return event.type;
  }
}
`;

/** The same with the names of openapi-generator: no name of a CUSTOM event narrows its value. */
const AXIOS_READER = `
export async function ids(): Promise<string[]> {
  const { data } = await new SessionsApi().sessionsList();
  return data.data.items.map((session) => session.sessionId);
}
export const typeOf = (event: SessionEvent): string => event.type;
// @ts-expect-error: not every event has a text
export const textOf = (event: SessionEvent): string => event.delta;
`;

const GENERATORS = [
  {
    name: 'openapi-typescript',
    command: 'openapi-typescript',
    args: (folder: string) => [openApiFile, '-o', join(folder, 'api.d.ts')],
    imports: `import type { components } from './api';\ntype SessionEvent = components['schemas']['SessionEvent'];`,
  },
  {
    name: '@hey-api/openapi-ts',
    command: 'openapi-ts',
    args: (folder: string) => ['-i', openApiFile, '-o', join(folder, 'client'), '--no-log-file'],
    imports: `import { sessionsList, type SessionEvent } from './client';\nexport const list = sessionsList;`,
  },
];

/** Generators of clients start compilers, of other languages too. */
const COMPILING_MS = 240_000;

test.each(GENERATORS)(
  '$name makes a client that compiles with strict types and without skipLibCheck',
  async ({ command, args, imports }) => {
    await using folder = await tempDir();
    const { stdout, stderr } = await run(join(generators, command), args(folder.path), { cwd: folder.path });
    expect(`${stdout}${stderr}`).not.toMatch(/warn|⚠|error/i);
    await expectToCompile(folder, `${imports}\n${READER}`);
  },
  COMPILING_MS,
);

const JAVA = '/usr/bin/java';
const hasJava = !spawnSync(JAVA, ['-version']).error || process.env.FUCINA_TEST_REQUIRE === '1';

(hasJava ? test : test.skip)(
  'openapi-generator accepts the document as OpenAPI 3.0 and makes a client that compiles with strict types',
  async () => {
    await using folder = await tempDir();
    const document = asOpenApi30(JSON.parse(await readFile(openApiFile, 'utf8')));
    await folder.write({ 'openapi.json': JSON.stringify(document) });
    const generator = join(generators, 'openapi-generator');
    const [input, client, templates] = ['openapi.json', 'client', 'templates'].map((name) =>
      join(folder.path, name),
    ) as [string, string, string];
    await run(generator, ['author', 'template', '-g', 'typescript-axios', '-o', templates]);
    await freeParameterNames(join(templates, 'apiInner.mustache'));
    const made = ['generate', '-g', 'typescript-axios', '-i', input, '-o', client, '-t', templates];
    const { stdout } = await run(generator, made, { maxBuffer: 2 ** 26 });
    expect(stdout).not.toContain('ERROR');
    // What the client imports.
    await symlink(join(generators, '..'), join(folder.path, 'node_modules'));
    await expectToCompile(folder, `import { SessionsApi, type SessionEvent } from './client';\n${AXIOS_READER}`);
  },
  COMPILING_MS,
);

/** This release of the generator has a local variable with the name of one of our parameters, `query`. */
async function freeParameterNames(template: string): Promise<void> {
  const text = await readFile(template, 'utf8');
  await writeFile(template, text.replaceAll(/(?<![.'\w])query(?![\w':])/g, 'searchParameters'));
}

async function expectToCompile(folder: TempDir, reader: string): Promise<void> {
  await folder.write({ 'tsconfig.json': JSON.stringify(TSCONFIG), 'reader.ts': reader });
  for (const compiler of COMPILERS) {
    const errors = await run(compiler, ['-p', folder.path]).then(
      () => '',
      (failure: { stdout: string }) => failure.stdout,
    );
    expect(errors).toBe('');
  }
}
