import { extname, isAbsolute, join } from 'node:path';
import { type Ambient, type Environment, readRegularFile } from '@fucina/shared';
import { type ConfiguredServers, readConfiguredServers } from './configured-servers.ts';
import { isFile, isProgram, programOnPath } from './programs.ts';
import { SERVER_KINDS, type ServerKind } from './server-table.ts';

/** A server that can be started for a project. */
export interface FoundServer {
  kind: ServerKind;
  argv: readonly [string, ...string[]];
  /** Its program is part of the project: it starts only where the user trusts it. */
  isOfProject: boolean;
  /** Absolute paths of files of the project that decide what it runs, besides its program. */
  files: readonly string[];
}

export interface FoundServers {
  /** The servers for a folder, at most one for each language; looked up again after some seconds. */
  of(folder: string): Promise<readonly FoundServer[]>;
  /** Why the user's own servers cannot be read, for the user; null if they can. */
  problem(): Promise<string | null>;
}

export interface FoundServersNeeds {
  ambient: Pick<Ambient, 'monotonic'>;
  environment: Environment;
  /** JSON file with servers of the user, which are looked for before the known ones. */
  serversFile?: string | undefined;
}

const FRESH_MS = 10_000;
const MAX_MANIFEST_BYTES = 1024 * 1024;

export function createFoundServers({ ambient, environment, serversFile }: FoundServersNeeds): FoundServers {
  const found = new Map<string, { at: number; servers: Promise<readonly FoundServer[]> }>();
  const configured = async (): Promise<ConfiguredServers> =>
    serversFile === undefined ? { kinds: [], problem: null } : readConfiguredServers(serversFile);
  const search = async (folder: string): Promise<readonly FoundServer[]> => {
    const { kinds } = await configured();
    return findAll({ folder, environment, kinds: [...kinds, ...SERVER_KINDS] });
  };
  return {
    problem: async () => (await configured()).problem,
    of(folder) {
      const before = found.get(folder);
      if (before && ambient.monotonic() - before.at < FRESH_MS) return before.servers;
      const servers = search(folder);
      found.set(folder, { at: ambient.monotonic(), servers });
      return servers;
    },
  };
}

/** Whether a project is likely to use it. */
export async function suits({ isOfProject, kind }: FoundServer, folder: string): Promise<boolean> {
  if (isOfProject || !kind.markers) return true;
  const there = await Promise.all(kind.markers.map((name) => isFile(join(folder, name))));
  return there.includes(true);
}

/** The language id of a file, and its server. */
export function serverFor(
  servers: readonly FoundServer[],
  path: string,
): { server: FoundServer; languageId: string } | undefined {
  const extension = extname(path).toLowerCase();
  for (const server of servers) {
    const { languages } = server.kind;
    if (Object.hasOwn(languages, extension)) return { server, languageId: languages[extension] ?? '' };
  }
  return undefined;
}

interface Search {
  folder: string;
  environment: Environment;
  kinds: readonly ServerKind[];
}

async function findAll(search: Search): Promise<readonly FoundServer[]> {
  const each = await Promise.all(search.kinds.map((kind) => findOne(kind, search)));
  const taken = new Set<string>();
  return each.flatMap((server) => {
    const extensions = server ? Object.keys(server.kind.languages) : [];
    if (!server || extensions.every((one) => taken.has(one))) return [];
    for (const one of extensions) taken.add(one);
    return [server];
  });
}

async function findOne(kind: ServerKind, { folder, environment }: Search): Promise<FoundServer | undefined> {
  const own = join(folder, 'node_modules/.bin', process.platform === 'win32' ? `${kind.program}.cmd` : kind.program);
  if (!isAbsolute(kind.program) && (await isProgram(own)) && (await isRecent(kind, folder))) {
    return { kind, argv: [own, ...kind.args], isOfProject: true, files: await manifests(kind, folder) };
  }
  if (kind.isOfProject) return undefined;
  const program = await programOnPath(kind.program, { folder, environment });
  return program === undefined ? undefined : { kind, argv: [program, ...kind.args], isOfProject: false, files: [] };
}

async function isRecent({ since }: ServerKind, folder: string): Promise<boolean> {
  if (!since) return true;
  try {
    const bytes = await readRegularFile(manifest(folder, since.package), MAX_MANIFEST_BYTES);
    const { version } = JSON.parse(String(bytes)) as { version?: unknown };
    return typeof version === 'string' && Number.parseInt(version, 10) >= since.major;
  } catch {
    // Not installed, or not readable: then it is not that version.
    return false;
  }
}

const manifest = (folder: string, name: string): string => join(folder, 'node_modules', name, 'package.json');

/** Their versions say what the program loads. */
async function manifests({ program, languages }: ServerKind, folder: string): Promise<string[]> {
  const names = [program, ...('.ts' in languages ? ['typescript'] : [])].map((name) => manifest(folder, name));
  const there = await Promise.all(names.map(isFile));
  return names.filter((_name, index) => there[index]);
}
