import type { ModelToolCall } from '@fucina/shared';
import { type KeyRenames, renamedJson } from './json-renamer.ts';
import { type Dialect, paramName, type ShownParam, type ShownTool } from './table.ts';

/** A call of the journal as a model of this dialect would have written it. */
export function shownCall<Call extends Pick<ModelToolCall, 'name' | 'arguments'>>(call: Call, dialect: Dialect): Call {
  const row = rowOf(call, dialect);
  if (!row) return call;
  const args = renamedJson(withoutFixed(call.arguments, row), keysOf(row));
  return { ...call, name: row.name, arguments: args ?? call.arguments };
}

function rowOf({ name, arguments: args }: Pick<ModelToolCall, 'name' | 'arguments'>, dialect: Dialect) {
  const rows = dialect.rows.filter(({ tool }) => tool === name);
  if (rows.length < 2) return rows[0];
  return rows.find(({ when }) => when !== undefined && hasKey(args, when)) ?? rows.find(({ when }) => !when);
}

function hasKey(args: string, key: string): boolean {
  try {
    return Object.hasOwn(JSON.parse(args) as object, key);
  } catch {
    // Not JSON: the call was refused.
    return false;
  }
}

/** Where they stand when a call was read. */
function withoutFixed(args: string, { fixed }: ShownTool): string {
  if (!fixed) return args;
  const members = `${JSON.stringify(fixed).slice(1, -1)},`;
  const start = /^\s*\{\s*/.exec(args)?.[0] ?? '';
  return args.startsWith(members, start.length) ? start + args.slice(start.length + members.length) : args;
}

const known = new WeakMap<ShownTool, KeyRenames>();

function keysOf(row: ShownTool): KeyRenames {
  const keys = known.get(row) ?? keysOfParams(row.params ?? {});
  known.set(row, keys);
  return keys;
}

function keysOfParams(params: Readonly<Record<string, ShownParam>>): KeyRenames {
  const renames = new Map(
    Object.entries(params).map(([wire, param]) => {
      const { values, items } = typeof param === 'string' ? { values: undefined, items: undefined } : param;
      return [wire, { to: paramName(param), values, items: items && keysOfParams(items) }] as const;
    }),
  );
  return (key) => renames.get(key);
}
