// The English form of the interface: one table of words, applied to the schemas of openapi.json.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `names` of properties and parameters (`file[]` of a list, `altri#` of a number, `corrente?` of a boolean), `values` of
 * enumerations, `paths` by
 * segment; and what the interface leaves open: known values of fields that may have others, `loose`
 * fields of JSON of any form, and the facts of an `action`
 * that is asked about.
 * @type {{
 *   names: Record<string, string>,
 *   values: Record<string, string>,
 *   paths: Record<string, string>,
 *   open: Record<string, Record<string, string>>,
 *   loose: Record<string, Record<string, string>>,
 *   action: { names: Record<string, string>, values: Record<string, Record<string, string>> },
 * }}
 */
export const words = JSON.parse(readFileSync(join(import.meta.dirname, 'english.json'), 'utf8'));

/** @typedef {Record<string, any>} Schema */

/** Of names that are said in another way when the value has this type. @type {Record<string, string>} */
const SUFFIXES = { array: '[]', integer: '#', number: '#', boolean: '?' };

/** @param {Schema} document openapi.json */
export function englishOf(document) {
  /** @param {any} node @returns {any} */
  const translate = (node) => {
    if (Array.isArray(node)) return node.map(translate);
    if (typeof node !== 'object' || node === null) return node;
    /** @type {Schema} */
    const made = {};
    for (const [key, value] of Object.entries(node)) made[key] = key === 'properties' ? value : translate(value);
    if (isFields(node.properties)) made.properties = propertiesOf(node);
    if (Array.isArray(node.required)) {
      made.required = node.required.map((/** @type {string} */ name) => nameIn(document, node, name));
    }
    if (Array.isArray(node.enum)) made.enum = node.enum.map(valueOf);
    if (typeof node.const === 'string') made.const = valueOf(node.const);
    if (node.discriminator) made.discriminator = discriminatorOf(node.discriminator);
    if (isParameter(node)) made.name = words.names[node.name] ?? node.name;
    return made;
  };
  /** @param {Schema} schema */
  const propertiesOf = (schema) =>
    Object.fromEntries(
      Object.entries(schema.properties).map(([name, field]) => [nameIn(document, schema, name), translate(field)]),
    );
  const paths = Object.entries(document.paths).map(([path, methods]) => [pathOf(path), translate(methods)]);
  return { ...document, paths: Object.fromEntries(paths), components: translate(document.components) };
}

/** @param {string} path */
export const pathOf = (path) =>
  path
    .split('/')
    .map((segment) => (path.includes('/ext/') ? segment : (words.paths[segment] ?? segment)))
    .join('/');

/** @param {unknown} value */
export const valueOf = (value) => (typeof value === 'string' ? (words.values[value] ?? value) : value);

/**
 * The English name of a property. Keys of a record by tool are the tools' names.
 * @param {Schema} document @param {Schema} schema @param {string} name
 */
export function nameIn(document, schema, name) {
  const field = schema.properties?.[name];
  if (schema.properties?.document_create) return name;
  const types = field === undefined ? [] : alternatives(document, field).flatMap(({ type }) => type);
  const suffix = Object.entries(SUFFIXES).find(([type]) => types.includes(type))?.[1] ?? '';
  return words.names[name + suffix] ?? words.names[name] ?? name;
}

/**
 * The schemas that a value may have, without references.
 * @param {Schema} document @param {Schema} schema @returns {Schema[]}
 */
export function alternatives(document, schema) {
  if (schema.$ref) return alternatives(document, document.components.schemas[schema.$ref.split('/').pop()]);
  const branches = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => list ?? []);
  const isWhole = branches.length === 0 || schema.properties !== undefined;
  return [...(isWhole ? [schema] : []), ...branches.flatMap((one) => alternatives(document, one))];
}

/** @param {Schema} discriminator */
function discriminatorOf({ propertyName, mapping }) {
  const entries = Object.entries(mapping ?? {}).map(([value, target]) => [valueOf(value), target]);
  return {
    propertyName: words.names[propertyName] ?? propertyName,
    ...(mapping && { mapping: Object.fromEntries(entries) }),
  };
}

/** @param {unknown} properties `properties` is also the name of a property. */
const isFields = (properties) => typeof properties === 'object' && properties !== null;
/** @param {Schema} node */
const isParameter = ({ name, in: place }) => typeof name === 'string' && typeof place === 'string';
