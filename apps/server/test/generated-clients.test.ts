import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';

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

test.each(GENERATORS)(
  '$name makes a client that compiles with strict types and without skipLibCheck',
  async ({ command, args, imports }) => {
    await using folder = await tempDir();
    const { stdout, stderr } = await run(join(generators, command), args(folder.path), { cwd: folder.path });
    expect(`${stdout}${stderr}`).not.toMatch(/warn|⚠|error/i);
    await folder.write({ 'tsconfig.json': JSON.stringify(TSCONFIG), 'reader.ts': `${imports}\n${READER}` });
    for (const compiler of COMPILERS) {
      const errors = await run(compiler, ['-p', folder.path]).then(
        () => '',
        (failure: { stdout: string }) => failure.stdout,
      );
      expect(errors).toBe('');
    }
  },
);
