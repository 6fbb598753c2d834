import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, namesIn, systemCode, writeFileAtomically } from '@fucina/shared';
import { placeName } from '../../own/reference.ts';
import { declaredId } from '../../project-file.ts';
import type { KnownServer, ServerReference } from '../known-server.ts';
import { storedServer } from './own-definition.ts';

/** Keeps secrets outside of files. Throws PROVIDER_STORE_UNAVAILABLE. */
export interface SecretStore {
  read(account: string): Promise<string | undefined>;
  write(account: string, value: string): Promise<void>;
  remove(account: string): Promise<void>;
}

/** Servers that the user added: one file each in the data folder, their secrets in the key store. */
export interface OwnServers {
  /** Those of every project, then those of this one; all projects when it is undefined. */
  list(folder: string | null | undefined): Promise<{ servers: KnownServer[]; broken: BrokenServer[] }>;
  find(reference: ServerReference): Promise<KnownServer | undefined>;
  /** The values are stored before the file that names them. */
  save(server: KnownServer, secrets: Readonly<Record<string, string>>): Promise<void>;
  /** False when there is no such server. */
  remove(reference: ServerReference): Promise<boolean>;
  secretsOf(reference: ServerReference): Promise<Record<string, string>>;
}

export interface BrokenServer extends ServerReference {
  problem: string;
}

const EVERYWHERE = placeName(null);

export function createOwnServers({ dataDir, secrets }: { dataDir: string; secrets: SecretStore }): OwnServers {
  const root = join(dataDir, 'mcp', 'servers');
  const fileOf = ({ folder, id }: ServerReference): string => join(root, placeName(folder), `${id}.json`);
  const accountOf = ({ folder, id }: ServerReference): string => `mcp/${placeName(folder)}/${id}`;

  const readPlace = async (place: string, folder: string | null) => {
    const names = (await namesIn(join(root, place))).filter((name) => name.endsWith('.json')).sort();
    const scope = place === EVERYWHERE ? 'everywhere' : 'project';
    return Promise.all(
      names.map((name) => readServer(join(root, place, name), { scope, folder, id: name.slice(0, -'.json'.length) })),
    );
  };

  return {
    async list(folder) {
      if (isMissing(root)) return { servers: [], broken: [] };
      const others = folder === undefined ? (await namesIn(root)).filter((name) => name !== EVERYWHERE).sort() : [];
      const places = folder ? [placeName(folder)] : others;
      const read = [readPlace(EVERYWHERE, null), ...places.map((place) => readPlace(place, folder ?? null))];
      const found = (await Promise.all(read)).flat();
      return {
        servers: found.filter((one): one is KnownServer => one !== undefined && 'definition' in one),
        broken: found.filter((one): one is BrokenServer => one !== undefined && 'problem' in one),
      };
    },
    async find(reference) {
      if (!declaredId.safeParse(reference.id).success) return undefined;
      const found = await readServer(fileOf(reference), reference);
      return found && 'definition' in found ? found : undefined;
    },
    async save(server, values) {
      const { folder, id } = server;
      if (Object.keys(values).length > 0) await secrets.write(accountOf(server), JSON.stringify(values));
      await mkdir(join(root, placeName(folder)), { recursive: true, mode: 0o700 });
      const record = { version: 1, folder, definition: server.definition, secrets: Object.keys(values) };
      await writeFileAtomically(fileOf({ scope: server.scope, folder, id }), `${JSON.stringify(record)}\n`);
      if (Object.keys(values).length === 0 && server.secrets.length > 0) await secrets.remove(accountOf(server));
    },
    async remove(reference) {
      if (!declaredId.safeParse(reference.id).success) return false;
      const known = await readServer(fileOf(reference), reference);
      if (!known) return false;
      await rm(fileOf(reference), { force: true });
      const hasSecrets = 'definition' in known ? known.secrets.length > 0 : true;
      if (hasSecrets) await secrets.remove(accountOf(reference));
      return true;
    },
    async secretsOf(reference) {
      const text = await secrets.read(accountOf(reference));
      if (text === undefined) return {};
      const values: unknown = JSON.parse(text);
      return values as Record<string, string>;
    },
  };
}

/** Undefined when there is no such file. */
async function readServer(path: string, reference: ServerReference): Promise<KnownServer | BrokenServer | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const broken = (problem: string): BrokenServer => ({ ...reference, problem });
  try {
    const parsed = storedServer.safeParse(JSON.parse(text));
    if (!parsed.success) return broken(parsed.error.issues[0]?.message ?? 'not a server');
    const { folder, definition, secrets } = parsed.data;
    return { scope: folder === null ? 'everywhere' : 'project', folder, id: reference.id, definition, secrets };
  } catch (error) {
    return broken((error as Error).message);
  }
}
