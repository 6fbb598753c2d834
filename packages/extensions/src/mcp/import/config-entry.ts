import * as z from 'zod';
import { splitCommand } from '../../trust/program.ts';
import type { ServerDefinition } from '../known-server.ts';
import { ownDefinition } from '../own/own-definition.ts';

/** A server of another program, as it would be here. */
export interface ReadEntry {
  definition: ServerDefinition;
  isOn: boolean;
  offTools: readonly string[];
  /** What changes with the import. */
  notes: readonly ImportNote[];
}

/** `only-tools`: a list of allowed tools that cannot be kept. */
export type ImportNote = 'only-tools';

const texts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));

/** The fields of all programs; others are left out. */
const fields = z.object({
  command: z.string().optional(),
  args: z.array(z.union([z.string(), z.number(), z.boolean()]).transform(String)).optional(),
  env: texts.optional(),
  env_vars: z.array(z.unknown()).optional(),
  cwd: z.string().optional(),
  url: z.string().optional(),
  serverUrl: z.string().optional(),
  httpUrl: z.string().optional(),
  headers: texts.optional(),
  http_headers: texts.optional(),
  env_http_headers: z.record(z.string(), z.string()).optional(),
  bearer_token_env_var: z.string().optional(),
  enabled: z.boolean().optional(),
  disabled: z.boolean().optional(),
  disabled_tools: z.array(z.string()).optional(),
  disabledTools: z.array(z.string()).optional(),
  enabled_tools: z.array(z.string()).optional(),
});
type Fields = z.output<typeof fields>;

/** One server of another program. */
export function readEntry(entry: unknown): ReadEntry | { problem: string } {
  const parsed = fields.safeParse(entry);
  if (!parsed.success) return { problem: firstIssue(parsed.error) };
  const given = parsed.data;
  const checked = ownDefinition.safeParse(definitionOf(given));
  if (!checked.success) return { problem: firstIssue(checked.error) };
  return {
    definition: checked.data,
    isOn: given.enabled !== false && given.disabled !== true,
    offTools: [...(given.disabled_tools ?? []), ...(given.disabledTools ?? [])],
    notes: given.enabled_tools ? ['only-tools'] : [],
  };
}

function definitionOf(given: Fields): ServerDefinition {
  const url = given.url ?? given.serverUrl ?? given.httpUrl;
  if (url !== undefined && given.command === undefined) {
    return { url, args: [], environment: {}, headers: headersOf(given) };
  }
  const words = given.args === undefined && given.command !== undefined ? splitCommand(given.command) : undefined;
  const [command = given.command, ...args] = words ?? [given.command, ...(given.args ?? [])];
  return {
    ...(command !== undefined && { command }),
    args: args.filter((argument) => argument !== undefined),
    ...(given.cwd !== undefined && { workingFolder: given.cwd }),
    environment: { ...forwarded(given.env_vars ?? []), ...given.env },
    headers: {},
  };
}

function headersOf(given: Fields): Record<string, string> {
  const fromVariables = Object.entries(given.env_http_headers ?? {}).map(([name, variable]) => [
    name,
    `\${env:${variable}}`,
  ]);
  const token = given.bearer_token_env_var;
  return {
    ...given.headers,
    ...given.http_headers,
    ...Object.fromEntries(fromVariables),
    ...(token !== undefined && { Authorization: `Bearer \${env:${token}}` }),
  };
}

/** Variables that Codex passes on by name. */
function forwarded(variables: readonly unknown[]): Record<string, string> {
  const names = variables.flatMap((one) => (typeof one === 'string' ? [one] : []));
  return Object.fromEntries(names.map((name) => [name, `\${env:${name}:-}`]));
}

function firstIssue({ issues }: z.ZodError): string {
  const [first] = issues;
  return first ? `${first.path.join('.') || 'server'}: ${first.message}` : 'not a server';
}
