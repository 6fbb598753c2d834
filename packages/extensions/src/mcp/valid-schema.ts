type Schema = Record<string, unknown>;

const TYPES: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const SINGLE = ['items', 'additionalProperties', 'not', 'contains', 'if', 'then', 'else', 'propertyNames'];
/** Alternatives of the whole input, which vendors refuse. */
const CHOICES = ['anyOf', 'oneOf', 'allOf'];
const MAX_DEPTH = 64;

/**
 * Changes the schema of a tool's input into one that every vendor accepts: never narrower, since the server itself
 * validates what it gets. Returns why that is impossible.
 */
export function makeValid(root: Schema): string | undefined {
  const { type = 'object' } = root;
  if (type !== 'object' && !(Array.isArray(type) && type.includes('object'))) return 'its input is no object';
  root.type = 'object';
  const waiting: { schema: Schema; depth: number }[] = [{ schema: root, depth: 0 }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.depth > MAX_DEPTH) return `its schema is deeper than ${MAX_DEPTH} levels`;
    const depth = next.depth + 1;
    for (const schema of partsOf(next.schema)) waiting.push({ schema, depth });
    tidyKeywords(next.schema);
  }
  joinChoices(root);
  root.properties ??= {};
  keepKnown(root);
  return undefined;
}

/** The schemas directly in this one; whatever else is in their place becomes one that accepts anything, or goes. */
function partsOf(schema: Schema): Schema[] {
  const parts: Schema[] = [];
  const taken = (value: unknown): Schema => {
    const part = isObject(value) ? value : {};
    parts.push(part);
    return part;
  };
  for (const key of MAPS) {
    const map = schema[key];
    if (map === undefined) continue;
    if (isObject(map)) for (const name of Object.keys(map)) map[name] = taken(map[name]);
    else delete schema[key];
  }
  for (const key of LISTS) {
    const list = schema[key];
    if (list === undefined) continue;
    if (Array.isArray(list) && list.length > 0) schema[key] = list.map(taken);
    else delete schema[key];
  }
  for (const key of SINGLE) {
    const value = schema[key];
    if (value === undefined || (key === 'additionalProperties' && typeof value === 'boolean')) continue;
    if (key === 'items') schema[key] = taken(value);
    else if (isObject(value)) parts.push(value);
    else delete schema[key];
  }
  return parts;
}

function tidyKeywords(schema: Schema): void {
  const { type } = schema;
  const types = Array.isArray(type) ? type : [type];
  if (type !== undefined && (types.length === 0 || !types.every((each) => TYPES.has(each)))) delete schema.type;
  else if (types.includes('array')) schema.items ??= {};
  if (schema.enum !== undefined && !(Array.isArray(schema.enum) && schema.enum.length > 0)) delete schema.enum;
  keepKnown(schema);
}

/** Keeps of `required` only what `properties` have. */
function keepKnown(schema: Schema): void {
  const { required, properties } = schema;
  if (required === undefined) return;
  const known = new Set(isObject(properties) ? Object.keys(properties) : []);
  const kept = Array.isArray(required) ? required.filter((name) => known.has(name as string)) : [];
  if (kept.length > 0) schema.required = [...new Set(kept)];
  else delete schema.required;
}

/** The properties of all alternatives become properties of the root, none of them required. */
function joinChoices(root: Schema): void {
  const properties = isObject(root.properties) ? root.properties : {};
  for (const key of CHOICES) {
    const choices = root[key];
    delete root[key];
    for (const choice of Array.isArray(choices) ? choices : []) {
      const { properties: more } = resolved(root, choice as Schema);
      for (const [name, part] of Object.entries(isObject(more) ? more : {})) properties[name] ??= part;
    }
  }
  root.properties = properties;
}

function resolved(root: Schema, choice: Schema): Schema {
  const [, map = '', name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(String(choice.$ref)) ?? [];
  const definitions = root[map];
  const found = isObject(definitions) ? definitions[name] : undefined;
  return isObject(found) ? found : choice;
}

export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
