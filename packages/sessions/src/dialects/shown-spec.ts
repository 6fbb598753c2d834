import type { ToolSpec } from '@fucina/shared';
import { type Dialect, paramName, type ShownParam, type ShownTool } from './table.ts';
import { DESCRIPTIONS } from './words.ts';

type Schema = Record<string, unknown>;
type Params = Readonly<Record<string, ShownParam>>;

/** A tool's spec under the name and the parameters of one row. */
export function shownSpec(spec: ToolSpec, row: ShownTool | undefined, dialect: Dialect): ToolSpec {
  const words = DESCRIPTIONS[spec.name];
  const description = row?.description ?? (words === undefined ? spec.description : text(words, row, dialect));
  if (!row) return description === spec.description ? spec : { ...spec, description };
  const isOneOfSeveral = dialect.rows.filter(({ tool }) => tool === spec.name).length > 1;
  const inputSchema = shownObject(spec.inputSchema, row.params ?? {}, {
    required: row.required ?? [],
    left: new Set(Object.keys(row.fixed ?? {})),
    isOnlyThese: isOneOfSeveral,
  });
  return { name: row.name, description, inputSchema };
}

/** With the names of tools (`{leggi}`) and of this tool's parameters (`{.righe}`). */
function text(template: string, row: ShownTool | undefined, dialect: Dialect): string {
  const ofParams = template.replaceAll(/\{\.(\w+)\}/g, (_whole, param: string) => {
    const shown = row?.params?.[param];
    return shown === undefined ? param : paramName(shown);
  });
  return dialect.text(ofParams);
}

interface Selection {
  required: readonly string[];
  left: ReadonlySet<string>;
  isOnlyThese: boolean;
}
const EVERYTHING: Selection = { required: [], left: new Set(), isOnlyThese: false };

/** The named parameters in their order, then the others; required ones first. */
function shownObject(schema: Schema, params: Params, { required, left, isOnlyThese }: Selection): Schema {
  const properties = schema.properties as Record<string, Schema> | undefined;
  if (!properties) return schema;
  const wanted = Array.isArray(schema.required) ? (schema.required as string[]) : [];
  const needed = new Set([...wanted, ...required]);
  const others = isOnlyThese ? [] : Object.keys(properties).filter((name) => !Object.hasOwn(params, name));
  const names = [...Object.keys(params).filter((name) => Object.hasOwn(properties, name)), ...others].filter(
    (name) => !left.has(name),
  );
  const ordered = [...names.filter((name) => needed.has(name)), ...names.filter((name) => !needed.has(name))];
  const nameOf = (name: string): string => (params[name] === undefined ? name : paramName(params[name]));
  const shown = ordered.map((name) => [nameOf(name), shownProperty(properties[name] as Schema, params[name])]);
  const named = ordered.filter((name) => needed.has(name)).map(nameOf);
  return { ...schema, properties: Object.fromEntries(shown), ...(named.length > 0 && { required: named }) };
}

function shownProperty(schema: Schema, param: ShownParam | undefined): Schema {
  if (param === undefined || typeof param === 'string') return schema;
  const { values, items, description } = param;
  const listed =
    values && Array.isArray(schema.enum) ? schema.enum.map((one) => values[one as string] ?? one) : undefined;
  const inside = items && schema.items ? shownObject(schema.items as Schema, items, EVERYTHING) : undefined;
  return {
    ...schema,
    ...(listed && { enum: listed }),
    ...(inside && { items: inside }),
    ...(description !== undefined && { description }),
  };
}
