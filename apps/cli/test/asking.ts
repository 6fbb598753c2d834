import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Reply } from '@fucina/testkit';
import type { TestComputer } from './harness.ts';

const EXTENSIONS = createRequire(join(import.meta.dirname, '../../../packages/extensions/package.json'));
const EVERYTHING = join(EXTENSIONS.resolve('@modelcontextprotocol/server-everything/package.json'), '../dist/index.js');

/** The official server's form, with every kind of field. */
export const ASKS_EVERYTHING: Reply = {
  toolCalls: [{ name: 'mcp__all__trigger-elicitation-request', arguments: {} }],
};
/** The input of `asksFor`. */
export const ASKS_FORM: Reply = { toolCalls: [{ name: 'mcp__crm__ask', arguments: {} }] };

export async function declareEverything(computer: TestComputer, tool = 'trigger-elicitation-request'): Promise<void> {
  await declare(computer, computer.project.path, {
    id: 'all',
    comando: 'node',
    argomenti: [EVERYTHING],
    allowlist: [tool],
  });
}

/** A trusted server of the project that asks this during its call. */
export async function asksFor(computer: TestComputer, asked: object, folder = computer.project.path): Promise<void> {
  const program = join(String(computer.env.HOME), 'asking-server.mjs');
  await copyFile(join(import.meta.dirname, 'asking-server.mjs'), program);
  await declare(computer, folder, {
    id: 'crm',
    comando: 'node',
    argomenti: [program, JSON.stringify(asked)],
    allowlist: ['ask'],
  });
}

async function declare(
  computer: TestComputer,
  folder: string,
  server: { id: string; [fact: string]: unknown },
): Promise<void> {
  await mkdir(join(folder, '.svc'), { recursive: true });
  await writeFile(join(folder, '.svc/mcp.json'), JSON.stringify({ server: [server] }));
  const { exit, stderr } = await computer.run(['mcp', 'trust', server.id, '--calls', 'allow'], { cwd: folder });
  if (exit !== 0) throw new Error(stderr);
}

export const FORM = {
  mode: 'form',
  message: 'Who is the customer?',
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', description: 'As on the invoice', maxLength: 20 },
      size: { type: 'string', title: 'Size', enum: ['small', 'large'], default: 'small' },
      since: { type: 'string', title: 'Customer since', format: 'date' },
    },
    required: ['name'],
  },
};
