import * as z from 'zod';
import { type Declared, declaredId, firstOfEach, readDeclared } from '../project-file.ts';
import type { KnownServer } from './known-server.ts';

const address = z.string().max(2_048).refine(isSafeAddress, 'an address of https, or of http on this computer');
const command = z.string().min(1).max(4_096);
const args = z.array(z.string().max(8_192)).max(128);
/** Names of the allowed tools. */
const tools = z.array(z.string().min(1).max(128)).min(1).max(256);
const texts = z
  .record(z.string().min(1).max(128), z.string().max(8_192))
  .refine((all) => Object.keys(all).length <= 64);

/** Both languages of the keys: of two with the same meaning the first wins. */
const fields = z.object({
  comando: command.optional(),
  command: command.optional(),
  argomenti: args.optional(),
  args: args.optional(),
  url: address.optional(),
  allowlist: tools.optional(),
  tools: tools.optional(),
  ambiente: texts.optional(),
  env: texts.optional(),
  intestazioni: texts.optional(),
  headers: texts.optional(),
});

/** A program to start, or an address to call. */
const entry = fields
  .transform((given) => ({
    command: given.comando ?? given.command,
    args: given.argomenti ?? given.args ?? [],
    url: given.url,
    allowlist: given.allowlist ?? given.tools,
    environment: given.ambiente ?? given.env ?? {},
    headers: given.intestazioni ?? given.headers ?? {},
  }))
  .refine(
    (given) => (given.command === undefined) !== (given.url === undefined),
    'either a command (comando) or an address (url)',
  );
type Entry = z.output<typeof entry>;

const named = z.object({ id: declaredId });
const list = z.array(z.unknown()).max(64);

/**
 * `server` and `servers` are lists of servers with an `id`; `mcpServers` is the usual object by name. A list needs an
 * allow list of tools only under the name `server`.
 */
const file = z
  .object({
    server: list.optional(),
    servers: list.optional(),
    mcpServers: z
      .record(declaredId, entry)
      .refine((all) => Object.keys(all).length <= 64)
      .optional(),
  })
  .refine((all) => Object.values(all).some((given) => given !== undefined), 'no servers: mcpServers is missing')
  .transform((all, context) => {
    const found: DeclaredServer[] = [];
    for (const name of ['server', 'servers'] as const) {
      for (const [index, given] of (all[name] ?? []).entries()) {
        const id = named.safeParse(given);
        const parsed = entry.safeParse(given);
        const issue = id.error?.issues[0] ?? parsed.error?.issues[0];
        const isOpen = name === 'server' && parsed.data && parsed.data.allowlist === undefined;
        if (issue || isOpen || !id.data || !parsed.data) {
          const path = [name, index, ...(issue?.path ?? ['allowlist'])];
          context.addIssue({ code: 'custom', path, message: issue?.message ?? 'the allowed tools are missing' });
          return z.NEVER;
        }
        found.push({ id: id.data.id, ...parsed.data });
      }
    }
    for (const [id, given] of Object.entries(all.mcpServers ?? {})) found.push({ id, ...given });
    return firstOfEach(found);
  });

export interface DeclaredServer extends Entry {
  id: string;
}

/** Plain http is allowed only on this computer. */
export function isSafeAddress(given: string): boolean {
  if (!URL.canParse(given)) return false;
  const { protocol, hostname, username, password } = new URL(given);
  if (username || password) return false;
  return protocol === 'https:' || (protocol === 'http:' && isThisComputer(hostname));
}

export function isThisComputer(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

export const MCP_PATH = '.svc/mcp.json';

/** Servers that a project declares; nothing of them is used before it is trusted. */
export async function readServers(folder: string): Promise<Declared<KnownServer[]>> {
  const found = await readDeclared<DeclaredServer[]>(folder, MCP_PATH, { schema: file, missing: [] });
  if ('problem' in found) return found;
  return {
    value: found.value.map((server): KnownServer => {
      const { id, allowlist, ...definition } = server;
      return { scope: 'file', folder, id, definition, allowlist, declared: declaredOf(server), secrets: [] };
    }),
  };
}

/**
 * What trust covers. A server without environment and headers has the form of before they existed, so that its trust
 * stays.
 */
function declaredOf({
  id,
  command: program,
  args: given,
  url,
  allowlist,
  environment,
  headers,
}: DeclaredServer): object {
  return {
    id,
    ...(program !== undefined && { comando: program }),
    argomenti: given,
    ...(url !== undefined && { url }),
    ...(allowlist && { allowlist }),
    ...(Object.keys(environment).length > 0 && { environment }),
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}
