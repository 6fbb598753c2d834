import * as z from 'zod';
import { type Declared, declaredId, firstOfEach, readDeclared } from '../project-file.ts';

/** A program to start, or an address to call. */
const server = z
  .object({
    id: declaredId,
    comando: z.string().min(1).max(4_096).optional(),
    argomenti: z.array(z.string().max(8_192)).max(128).default([]),
    url: z.string().max(2_048).refine(isSafeAddress, 'an address of https, or of http on this computer').optional(),
    /** Names of the allowed tools. */
    allowlist: z.array(z.string().min(1).max(128)).min(1).max(256),
  })
  .refine(({ comando, url }) => (comando === undefined) !== (url === undefined), 'either comando or url');
export type DeclaredServer = z.infer<typeof server>;

/** A server of a session, whoever declared it. */
export interface RunnableServer {
  id: string;
  /** Names of the allowed tools; absent: all of them. */
  allowlist?: readonly string[];
}

/** Plain http is allowed only on this computer. */
export function isSafeAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  if (username || password) return false;
  const isHere = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isHere);
}

const file = z.object({ server: z.array(server).max(64) });

export const MCP_PATH = '.svc/mcp.json';

export async function readServers(folder: string): Promise<Declared<DeclaredServer[]>> {
  const found = await readDeclared(folder, MCP_PATH, {
    schema: file as z.ZodType<{ server: DeclaredServer[] }>,
    missing: { server: [] },
  });
  return 'problem' in found ? found : { value: firstOfEach(found.value.server) };
}
