import { createHmac } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { type Ambient, type Environment, readRegularFile, systemCode, textStart } from '@fucina/shared';
import { extensionsError } from '../../errors.ts';
import type { ServerDefinition } from '../known-server.ts';
import { separateSecrets } from '../own/secret-values.ts';
import { secretNames } from '../placeholders.ts';
import type { McpServers } from '../servers.ts';
import type { ImportNote } from './config-entry.ts';
import { type ImportProgram, type ImportSource, importSources } from './import-sources.ts';
import { type FoundServer, parseConfig } from './parse-config.ts';

/** A server that can be imported, without its secrets. */
export interface Candidate {
  /** As it is called there, and as it will be called here. */
  name: string;
  id: string;
  /** Null when it cannot be used. */
  definition: ServerDefinition | null;
  problem: string | null;
  /** Names of the values that go to the key store, and of those that are not in the file and must be entered. */
  secrets: readonly string[];
  missing: readonly string[];
  notes: readonly ImportNote[];
  isOn: boolean;
  /** What was shown: an import of anything else is refused. */
  fingerprint: string;
}

export interface ImportFile {
  id: string;
  program: ImportProgram;
  path: string;
  isOfProject: boolean;
  problem: string | null;
  candidates: readonly Candidate[];
}

export interface ImportRequest {
  /** A file, by its id, or a text of the user. */
  source: { id: string } | { text: string };
  chosen: readonly { name: string; fingerprint: string }[];
  scope: 'everywhere' | 'project';
  /** The project whose files are meant, and for which they are added unless the scope is `everywhere`. */
  folder: string | null;
}

/** Takes over servers from other programs' configurations, after the user has seen what they are. */
export interface McpImports {
  /** The files that exist. */
  files(folder: string | undefined): Promise<ImportFile[]>;
  /** MCP_INVALID for a text that cannot be read. */
  read(text: string): Promise<Candidate[]>;
  /**
   * The ids of the added servers, in order. MCP_INVALID, and nothing is added, when one of them has changed, cannot be
   * used or exists; NOT_FOUND for an unknown file; PROVIDER_STORE_UNAVAILABLE.
   */
  run(request: ImportRequest): Promise<string[]>;
}

interface ImportsNeeds {
  ambient: Ambient;
  environment: Environment;
  homeDir: string;
  servers: Pick<McpServers, 'add' | 'choose' | 'list'>;
}

/** Claude Code keeps more than servers in its file. */
const MAX_BYTES = 16 * 1024 * 1024;

export function createImports(needs: ImportsNeeds): McpImports {
  const { ambient, servers } = needs;
  // Fingerprints leave the process, and what they are made of may contain weak secrets.
  const key = ambient.randomBytes(32);
  const fingerprintOf = ({ source }: FoundServer): string => createHmac('sha256', key).update(source).digest('hex');
  const sourcesFor = (folder: string | undefined): ImportSource[] =>
    importSources({ ...needs, platform: process.platform }, folder);
  const readSource = async ({ path, section }: ImportSource): Promise<FoundServer[]> => {
    await stat(path); // throws when it is missing
    const bytes = await readRegularFile(path, MAX_BYTES);
    if (!bytes) throw new SyntaxError('not a readable file of 16 MiB at most');
    return parseConfig(bytes.toString('utf8'), section);
  };
  const candidates = (found: readonly FoundServer[]): Candidate[] => {
    const ids = new Set<string>();
    return found.map((server) => candidateOf(server, { fingerprint: fingerprintOf(server), ids }));
  };
  const fileOf = async (source: ImportSource): Promise<ImportFile[]> => {
    const { id, program, path, isOfProject } = source;
    const file = { id, program, path, isOfProject };
    try {
      const found = candidates(await readSource(source));
      return found.length > 0 ? [{ ...file, problem: null, candidates: found }] : [];
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return [];
      if (!(error instanceof SyntaxError) && !systemCode(error)) throw error;
      return [{ ...file, problem: (error as Error).message, candidates: [] }];
    }
  };
  const foundIn = async ({ source, folder }: ImportRequest): Promise<FoundServer[]> => {
    if ('text' in source) return readText(source.text);
    const file = sourcesFor(folder ?? undefined).find(({ id }) => id === source.id);
    if (!file) throw extensionsError('NOT_FOUND', { reason: 'import-source' });
    try {
      return await readSource(file);
    } catch (error) {
      throw extensionsError('MCP_INVALID', { reason: 'changed', cause: error });
    }
  };

  return {
    files: async (folder) => (await Promise.all(sourcesFor(folder).map(fileOf))).flat(),
    read: async (text) => candidates(await readText(text)),
    async run(request) {
      const { chosen, scope } = request;
      const folder = scope === 'everywhere' ? null : request.folder;
      const found = await foundIn(request);
      const shown = candidates(found);
      const present = new Set(
        (await servers.list(folder ?? undefined)).rows.flatMap((row) => (row.scope === scope ? [row.id] : [])),
      );
      const accepted = chosen.map(({ name, fingerprint }) => {
        const at = shown.findIndex((one) => one.name === name && one.fingerprint === fingerprint);
        const entry = found[at]?.server;
        const candidate = shown[at];
        if (!candidate || !entry || 'problem' in entry) {
          throw extensionsError('MCP_INVALID', { reason: 'changed', params: { id: name } });
        }
        if (present.has(candidate.id)) {
          throw extensionsError('MCP_INVALID', { reason: 'exists', params: { id: candidate.id } });
        }
        return { entry, id: candidate.id };
      });
      for (const { entry, id } of accepted) {
        await servers.add({ scope, folder, id, definition: entry.definition, secrets: {} });
        const { isOn, offTools } = entry;
        if (!isOn || offTools.length > 0) await servers.choose({ scope, folder, id }, { isOn, offTools });
      }
      return accepted.map(({ id }) => id);
    },
  };
}

async function readText(text: string): Promise<FoundServer[]> {
  try {
    const found = await parseConfig(text);
    if (found.length > 0) return found;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw extensionsError('MCP_INVALID', { reason: 'text', params: { problem: error.message } });
  }
  throw extensionsError('MCP_INVALID', { reason: 'no-servers' });
}

function candidateOf(
  { name, server }: FoundServer,
  { fingerprint, ids }: { fingerprint: string; ids: Set<string> },
): Candidate {
  const id = freeId(name, ids);
  const about = { name, id, fingerprint };
  if ('problem' in server) {
    const empty = { secrets: [], missing: [], notes: [], isOn: false };
    return { ...about, ...empty, definition: null, problem: server.problem };
  }
  const { definition, secrets } = separateSecrets(server.definition);
  const names = Object.keys(secrets);
  const missing = secretNames(definition).filter((secret) => !names.includes(secret));
  const { notes, isOn } = server;
  return { ...about, definition, problem: null, secrets: names, missing, notes, isOn };
}

/** The name as an id, unlike those before it. */
function freeId(name: string, ids: Set<string>): string {
  const base =
    textStart(
      name
        .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
        .replaceAll(/\.{2,}/g, '.')
        .replaceAll(/^[^A-Za-z0-9]+|-+$/g, ''),
      60,
    ) || 'server';
  let id = base;
  for (let number = 2; ids.has(id); number += 1) id = `${base}-${number}`;
  ids.add(id);
  return id;
}
