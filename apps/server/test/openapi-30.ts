/** A JSON value of the document. */
type Json = null | boolean | number | string | Json[] | JsonObject;
interface JsonObject {
  [key: string]: Json;
}

/**
 * The OpenAPI 3.1 document as OpenAPI 3.0, for generators that read nothing newer: no list of types, `const`, `null`
 * type or number as `exclusiveMinimum`. Unions that such a generator cannot name get a name, or their wider half.
 * Libraries that lower a document keep a type named `Null`, which no 3.0 generator declares.
 */
export function asOpenApi30(document: JsonObject): JsonObject {
  const lowered = lower(document) as JsonObject;
  nameBodies(lowered);
  return { ...lowered, openapi: '3.0.3' };
}

function lower(value: Json): Json {
  if (Array.isArray(value)) return value.map(lower);
  if (!isObject(value)) return value;
  return lowerSchema(Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, lower(inner)])));
}

function lowerSchema(schema: JsonObject): JsonObject {
  return [typesAsOne, constAsEnum, nullAsNullable, exclusiveAsFlag, withoutNewer, listInQuery].reduce(
    (now, step) => step(now),
    schema,
  );
}

function typesAsOne(schema: JsonObject): JsonObject {
  if (!Array.isArray(schema.type)) return schema;
  const { type, ...rest } = schema;
  const types = type.filter((one) => one !== 'null');
  return {
    ...rest,
    ...(types.length === 1 ? { type: types[0] as string } : { anyOf: types.map((one) => oneType(one as string)) }),
    ...(types.length < type.length && { nullable: true }),
  };
}

const oneType = (type: string): JsonObject => (type === 'array' ? { type, items: {} } : { type });

function constAsEnum(schema: JsonObject): JsonObject {
  if (!('const' in schema) || isObject(schema.const)) return schema;
  const { const: value, ...rest } = schema;
  return { type: typeof value, ...rest, enum: [value as Json] };
}

function nullAsNullable(schema: JsonObject): JsonObject {
  if (schema.type === 'null') {
    const { type: _null, ...rest } = schema;
    return { ...rest, nullable: true };
  }
  if (!Array.isArray(schema.anyOf) || !schema.anyOf.some(isNullOnly)) return schema;
  const { anyOf, ...rest } = schema;
  const members = anyOf.filter((member) => !isNullOnly(member)) as JsonObject[];
  const [only] = members;
  if (members.length !== 1 || only === undefined) return { ...rest, anyOf: members, nullable: true };
  return { ...rest, ...('$ref' in only ? { allOf: [only] } : only), nullable: true };
}

/** Lowered already, so that `null` alone has become this. */
const isNullOnly = (schema: Json): boolean =>
  isObject(schema) && schema.nullable === true && Object.keys(schema).length === 1;

function exclusiveAsFlag(schema: JsonObject): JsonObject {
  if (typeof schema.exclusiveMinimum !== 'number') return schema;
  return { ...schema, minimum: schema.exclusiveMinimum, exclusiveMinimum: true };
}

/** The form of a map's names, and the identifier of the licence, are new in 3.1. */
function withoutNewer(schema: JsonObject): JsonObject {
  const { propertyNames, identifier, ...rest } = schema;
  const isNewer = isObject(propertyNames) || (typeof identifier === 'string' && typeof schema.name === 'string');
  return isNewer ? rest : schema;
}

/** A parameter that is a text or a list of texts: on the wire, one text is a list of one. */
function listInQuery(parameter: JsonObject): JsonObject {
  if (parameter.in !== 'query' || !isObject(parameter.schema) || !Array.isArray(parameter.schema.anyOf))
    return parameter;
  const list = parameter.schema.anyOf.find((member) => isObject(member) && member.type === 'array');
  return list === undefined ? parameter : { ...parameter, schema: list };
}

/** Names the request bodies that are unions. */
function nameBodies(document: JsonObject): void {
  const schemas = (document.components as JsonObject).schemas as JsonObject;
  for (const path of Object.values(document.paths as Record<string, Record<string, JsonObject>>)) {
    for (const { operationId, requestBody } of Object.values(path)) {
      const media = (requestBody as { content?: Record<string, JsonObject> } | undefined)?.content?.[
        'application/json'
      ];
      if (!isObject(media?.schema) || !(media.schema.anyOf || media.schema.oneOf)) continue;
      const name = `${(operationId as string).replace(/(?:^|[.-])(\w)/g, (_all, letter: string) => letter.toUpperCase())}Body`;
      schemas[name] = media.schema;
      media.schema = { $ref: `#/components/schemas/${name}` };
    }
  }
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
