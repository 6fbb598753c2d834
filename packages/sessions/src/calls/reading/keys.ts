import { otherRows } from '../../dialects/dialect.ts';
import type { KeyRename, KeyRenames } from '../../dialects/json-renamer.ts';
import { type Dialect, paramName, type ShownParam, type ShownTool } from '../../dialects/table.ts';
import { ALIASES, ITEM_ALIASES, plainName } from './aliases.ts';
import type { NamedTool } from './names.ts';

type Params = Readonly<Record<string, ShownParam>>;
type Names = Readonly<Record<string, readonly string[]>>;

interface Keys {
  /** By the exact name in the model's dialect. */
  own: ReadonlyMap<string, KeyRename>;
  /** By the exact name on the wire, which stays; what is inside may still have other names. */
  wire: ReadonlyMap<string, KeyRename>;
  /** By the plain name, of other dialects and programs. */
  foreign: ReadonlyMap<string, KeyRename>;
}

const known = new WeakMap<Dialect, Map<string, KeyRenames>>();

/** From a model's names of parameters to those of the wire. */
export function keysOf({ tool, row }: NamedTool, dialect: Dialect): KeyRenames {
  const ofDialect = known.get(dialect) ?? new Map<string, KeyRenames>();
  known.set(dialect, ofDialect);
  const id = `${tool} ${row?.name ?? ''}`;
  const keys = ofDialect.get(id) ?? finder(keysOfTool(tool, row, dialect));
  ofDialect.set(id, keys);
  return keys;
}

function finder({ own, wire, foreign }: Keys): KeyRenames {
  return (key) => own.get(key) ?? wire.get(key) ?? foreign.get(plainName(key));
}

function keysOfTool(tool: string, row: ShownTool | undefined, dialect: Dialect): Keys {
  const own = new Map(renames(row?.params ?? {}, tool).map(([name, rename]) => [name, rename]));
  const wire = new Map<string, KeyRename>();
  const foreign = new Map<string, KeyRename>();
  const rows = [...dialect.rows, ...otherRows(dialect.name)].filter((other) => other.tool === tool);
  for (const { params = {} } of rows) for (const [, rename] of renames(params, tool)) wire.set(rename.to, rename);
  const addForeign = (name: string, rename: KeyRename): void => {
    if (!foreign.has(plainName(name))) foreign.set(plainName(name), { ...rename, isForeign: true });
  };
  const isSameUse = ({ when }: { when?: string }): boolean => row === undefined || when === row.when;
  for (const { params = {} } of rows.filter(isSameUse)) {
    for (const [name, rename] of renames(params, tool)) {
      addForeign(name, rename);
      addForeign(rename.to, rename);
    }
  }
  for (const { params } of ALIASES.filter((alias) => alias.tool === tool && isSameUse(alias))) {
    for (const [to, names] of Object.entries(params)) {
      for (const name of names) addForeign(name, { to, ...inside(tool, to) });
      if (!wire.has(to)) wire.set(to, { to });
    }
  }
  return { own, wire, foreign };
}

/** From the names that the model sees. */
function renames(params: Params, tool: string): (readonly [string, KeyRename])[] {
  return Object.entries(params).map(([to, param]) => {
    const values = typeof param === 'string' ? undefined : param.values;
    const back = values && Object.fromEntries(Object.entries(values).map(([wire, shown]) => [shown, wire]));
    return [paramName(param), { to, ...(back && { values: back }), ...inside(tool, to, param) }] as const;
  });
}

/** The keys of the objects in a list. */
function inside(tool: string, param: string, shown?: ShownParam): Pick<KeyRename, 'items'> {
  const aliases: Names | undefined = ITEM_ALIASES[`${tool}.${param}`];
  if (!aliases) return {};
  const items = shown === undefined || typeof shown === 'string' ? {} : (shown.items ?? {});
  const own = new Map(Object.entries(items).map(([to, one]) => [paramName(one), { to }]));
  const foreign = new Map(
    Object.entries(aliases).flatMap(([to, names]) => names.map((name) => [plainName(name), { to, isForeign: true }])),
  );
  return { items: (key) => own.get(key) ?? (Object.hasOwn(aliases, key) ? undefined : foreign.get(plainName(key))) };
}
