import { otherRows } from '../../dialects/dialect.ts';
import type { Dialect, ShownTool } from '../../dialects/table.ts';
import { ALIASES, plainName } from './aliases.ts';

/** The tool that a model meant. */
export interface NamedTool {
  /** On the wire. */
  tool: string;
  /** As the model's own dialect has it; undefined for a tool called by the wire's name. */
  row: ShownTool | undefined;
  /** What was not as it should be; the names of the wire, which stored conversations have, are. */
  remark?: string;
}

/** A name as it might have been meant. */
type NameRepair = (name: string, offered: readonly string[]) => string | undefined;

/** In order; each works on what the ones before it left. */
const NAME_REPAIRS: readonly NameRepair[] = [cutAtControlToken, withoutQuotes, withoutPrefix, withServer];

function cutAtControlToken(name: string): string {
  return name.replace(/(?:<\||<\/?[a-z]|[({[\n\r]).*$/s, '').trim();
}

function withoutQuotes(name: string): string {
  return name.replace(/^[\s"'`]+|[\s"'`:]+$/g, '');
}

function withoutPrefix(name: string): string {
  return name.replace(/^(?:(?:functions?|default_api|tools?|namespace|mcp)[.:/]+|mcp__fucina__)+/i, '');
}

/** A tool of an MCP server without the server's name, where only one server has such a tool. */
function withServer(name: string, offered: readonly string[]): string | undefined {
  const ends = offered.filter((one) => one.startsWith('mcp__') && plainName(one).endsWith(`${plainName(name)}`));
  const exact = ends.filter((one) => plainName(one.slice(one.lastIndexOf('__') + 2)) === plainName(name));
  return exact.length === 1 ? exact[0] : undefined;
}

/** Finds the tool of a call among the offered ones; undefined where there is none that it can mean. */
export function findTool(name: string, offered: ReadonlySet<string>, dialect: Dialect): NamedTool | undefined {
  const own = dialect.rows.find((row) => row.name === name && offered.has(row.tool));
  if (own) return { tool: own.tool, row: own };
  if (offered.has(name)) return { tool: name, row: undefined };
  const names = [...offered];
  let candidate = name;
  for (const repair of [(same: string) => same, ...NAME_REPAIRS]) {
    const repaired = repair(candidate, names);
    if (repaired === undefined) continue;
    candidate = repaired;
    const found = exactly(candidate, offered, dialect) ?? likely(candidate, offered, dialect);
    if (found) return { ...found, remark: `${quoted(name)} was read as ${found.row?.name ?? found.tool}` };
  }
  return undefined;
}

function quoted(name: string): string {
  return name === '' ? 'a call without a name' : JSON.stringify(name.slice(0, 80));
}

function exactly(name: string, offered: ReadonlySet<string>, dialect: Dialect): NamedTool | undefined {
  const row = dialect.rows.find((one) => one.name === name && offered.has(one.tool));
  if (row) return { tool: row.tool, row };
  return offered.has(name) ? { tool: name, row: dialect.rows.find(({ tool }) => tool === name) } : undefined;
}

/** Another case, another dialect, another program. */
function likely(name: string, offered: ReadonlySet<string>, dialect: Dialect): NamedTool | undefined {
  const plain = plainName(name);
  if (plain === '') return undefined;
  const isSame = (other: string): boolean => plainName(other) === plain;
  const meant = [
    ...dialect.rows.filter((row) => isSame(row.name)),
    ...otherRows(dialect.name).filter((row) => isSame(row.name)),
    ...ALIASES.filter(({ names }) => names.some(isSame)),
  ].find(({ tool }) => offered.has(tool));
  if (meant) {
    const { tool, when } = meant;
    return { tool, row: dialect.rows.find((row) => row.tool === tool && row.when === when) };
  }
  const same = [...offered].filter(isSame);
  return same.length === 1 ? exactly(same[0] as string, offered, dialect) : undefined;
}
