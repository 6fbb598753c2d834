import { type ReadEntry, readEntry } from './config-entry.ts';

/** A server of another program's configuration. */
export interface FoundServer {
  /** As it is called there. */
  name: string;
  /** For the comparison with what was shown. */
  source: string;
  server: ReadEntry | { problem: string };
}

const MAX_SERVERS = 128;

/** The servers in a text: JSON (comments are allowed) or TOML. Throws a SyntaxError with the place of the fault. */
export async function parseConfig(text: string, folder?: string): Promise<FoundServer[]> {
  const whole = await parseText(text);
  const entries = serversIn(whole, folder);
  if (entries.length > MAX_SERVERS) throw new SyntaxError(`more than ${MAX_SERVERS} servers`);
  return entries.map(([name, entry]) => ({ name, source: JSON.stringify([name, entry]), server: readEntry(entry) }));
}

type Table = Record<string, unknown>;

async function parseText(text: string): Promise<unknown> {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  try {
    return JSON.parse(trimmed);
  } catch {
    // Comments, trailing commas, TOML, or a part of an object, as documentation shows it.
  }
  if (/^\s*(?:#.*\n\s*)*(?:\[|[\w.-]+\s*=)/.test(trimmed) && !trimmed.startsWith('{')) return parseToml(trimmed);
  return parseJsonc(/^"[^"]*"\s*:/.test(trimmed) ? `{${trimmed}}` : trimmed);
}

async function parseToml(text: string): Promise<unknown> {
  const { parse } = await import('smol-toml');
  try {
    return parse(text);
  } catch (cause) {
    throw new SyntaxError((cause as Error).message.split('\n')[0], { cause });
  }
}

async function parseJsonc(text: string): Promise<unknown> {
  const { parse, printParseErrorCode } = await import('jsonc-parser');
  const errors: { error: number; offset: number; length: number }[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (!first) return value;
  const line = text.slice(0, first.offset).split('\n').length;
  throw new SyntaxError(`line ${line}: ${printParseErrorCode(first.error)}`);
}

/** `mcpServers` (Claude, Cursor and others), `servers` (VS Code), `mcp_servers` (Codex), or servers by name alone. */
function serversIn(whole: unknown, folder: string | undefined): [string, unknown][] {
  if (!isTable(whole)) throw new SyntaxError('not an object with servers');
  const project = folder === undefined || !isTable(whole.projects) ? undefined : whole.projects[folder];
  const settings = isTable(whole.mcp) ? whole.mcp.servers : undefined;
  const named = [whole.mcpServers, whole.servers, whole.mcp_servers, settings];
  const ofProject = isTable(project) ? project.mcpServers : undefined;
  const tables = folder === undefined ? named : [ofProject];
  const found = tables.filter(isTable).flatMap((table) => Object.entries(table));
  if (found.length > 0 || folder !== undefined || named.some(isTable)) return found;
  if (isEntry(whole)) return [[nameOf(whole), whole]];
  const direct = Object.entries(whole).filter(([, entry]) => isEntry(entry));
  return direct;
}

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isEntry = (value: unknown): value is Table =>
  isTable(value) && ['command', 'url', 'serverUrl', 'httpUrl'].some((key) => typeof value[key] === 'string');

/** A name for a server that was pasted without one. */
function nameOf({ command, args, url }: Table): string {
  const words = [url, ...(Array.isArray(args) ? args : []), command].filter((word) => typeof word === 'string');
  const telling = words.find((word) => !word.startsWith('-')) ?? 'server';
  if (URL.canParse(telling)) return new URL(telling).hostname;
  return telling.split('@').find(Boolean)?.split('/').at(-1) ?? 'server';
}
