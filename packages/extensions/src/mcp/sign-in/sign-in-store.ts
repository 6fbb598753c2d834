import { mkdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode, writeFileAtomically } from '@fucina/shared';
import type { StoredOAuthClientInformation, StoredOAuthTokens } from '@modelcontextprotocol/client';
import * as z from 'zod';
import type { SecretStore } from '../own/own-servers.ts';
import type { DpopKey } from './dpop-key.ts';

/** What a sign-in left behind. In the key store only. */
export interface SignInRecord {
  /** The address of the server: another one is another sign-in. */
  url: string;
  client: StoredOAuthClientInformation | undefined;
  /** The return address with which the client was registered. */
  redirectUrl: string;
  tokens: StoredOAuthTokens | undefined;
  /** The key to which the tokens are bound, where the authorization server does that. */
  dpopKey?: DpopKey | undefined;
}

/**
 * Sign-ins at MCP servers, by the key of the server. The secret part is in the key store; a file without secrets says
 * that there is one, so that the key store is not asked about servers without a sign-in.
 */
export interface SignInStore {
  isSignedIn(key: string): Promise<boolean>;
  /** Undefined also for a sign-in at another address. Throws PROVIDER_STORE_UNAVAILABLE. */
  read(key: string, url: string): Promise<SignInRecord | undefined>;
  /** Throws PROVIDER_STORE_UNAVAILABLE. */
  write(key: string, record: SignInRecord): Promise<void>;
  /** Throws PROVIDER_STORE_UNAVAILABLE. */
  remove(key: string): Promise<void>;
}

const mark = z.object({ version: z.literal(1) });

export function createSignInStore({ dataDir, secrets }: { dataDir: string; secrets: SecretStore }): SignInStore {
  const fileOf = (key: string): string => join(dataDir, 'mcp', 'sign-ins', `${key}.json`);
  const accountOf = (key: string): string => `mcp-sign-in/${key}`;
  const isMarked = async (key: string): Promise<boolean> => {
    try {
      return mark.safeParse(JSON.parse(await readFile(fileOf(key), 'utf8'))).success;
    } catch (error) {
      // Damaged: the next sign-in replaces it.
      if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError) return false;
      throw error;
    }
  };
  return {
    isSignedIn: isMarked,
    async read(key, url) {
      if (!(await isMarked(key))) return undefined;
      const text = await secrets.read(accountOf(key));
      const record = text === undefined ? undefined : (JSON.parse(text) as SignInRecord);
      return record?.url === url ? record : undefined;
    },
    async write(key, record) {
      await secrets.write(accountOf(key), JSON.stringify(record));
      await mkdir(dirname(fileOf(key)), { recursive: true, mode: 0o700 });
      await writeFileAtomically(fileOf(key), `${JSON.stringify({ version: 1 })}\n`);
    },
    async remove(key) {
      if (!(await isMarked(key))) return;
      await secrets.remove(accountOf(key));
      await rm(fileOf(key), { force: true });
    },
  };
}
