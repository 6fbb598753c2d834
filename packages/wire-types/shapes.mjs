// Which names and values of each request, answer and event have an English form: what a client renames, and nothing else.
import { alternatives, nameIn, pathOf, valueOf, words } from './english.mjs';

/** @typedef {Record<string, any>} Schema */
/**
 * A place in a value. `fields` by name on the wire: the English name (absent if equal), and the place below it;
 * `each` is the place of every value of a map; `values` by value on the wire.
 * @typedef {{ fields?: Record<string, [string?, number?]>, each?: number, values?: Record<string, string> }} Place
 */

const SUCCESSES = ['200', '201', '202'];

/**
 * The places of bodies, answers and frames, by method and English path.
 * @param {Schema} document openapi.json
 * @param {(operation: string) => boolean} isWanted
 */
export function shapesOf(document, isWanted) {
  const places = placesOf(document);
  /** @type {Record<string, Record<string, any>>} */
  const operations = {};
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const name = `${method} ${withoutPrefix(pathOf(path))}`;
      if (!isWanted(name)) continue;
      const shape = {
        ...named('body', places.of(jsonOf(operation.requestBody))),
        ...named('answer', places.of(...answersOf(document, operation))),
        ...named('frame', places.of(frameOf(operation))),
      };
      if (Object.keys(shape).length > 0) operations[name] = shape;
    }
  }
  return places.numbered({ operations });
}

/** The places of every event of a session, and of an action that is asked about. @param {Schema} document openapi.json */
export function eventShapeOf(document) {
  const places = placesOf(document);
  return places.numbered({ event: places.of(document.components.schemas.SessionEvent), action: places.action() });
}

/**
 * What addresses need: the path on the wire by English path, and names and values of query parameters. Small: a page
 * loads it before it shows anything.
 * @param {Schema} document openapi.json
 */
export function addressesOf(document) {
  /** @type {Record<string, string>} */
  const paths = {};
  /** Operations by the English name of a parameter and its name on the wire. @type {Record<string, Record<string, string[]>>} */
  const uses = {};
  for (const [path, methods] of Object.entries(document.paths)) {
    const english = withoutPrefix(pathOf(path));
    if (pathOf(path) !== path) paths[english] = withoutPrefix(path);
    for (const [method, operation] of Object.entries(methods)) {
      for (const { name } of parametersOf(document, operation, 'query')) {
        const own = (uses[words.names[name] ?? name] ??= {});
        own[name] = [...(own[name] ?? []), `${method} ${english}`];
      }
    }
  }
  return { paths, queries: Object.entries(uses).flatMap(queryNamesOf), values: queryValuesOf(document) };
}

/**
 * The name on the wire that most operations have, without their list; after it the others, each with its operations.
 * @param {[name: string, wires: Record<string, string[]>]} uses
 */
function queryNamesOf([name, wires]) {
  const [[usual] = [name], ...others] = Object.entries(wires).sort(([, a], [, b]) => b.length - a.length);
  const named = others.map(([wire, operations]) => [name, wire, operations]);
  return usual === name ? named : [[name, usual], ...named];
}

/** Values of query parameters by English name: one English value never has two on the wire. @param {Schema} document */
function queryValuesOf(document) {
  /** @type {Record<string, Record<string, string>>} */
  const values = {};
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods)) {
      for (const { name, schema } of parametersOf(document, operation, 'query')) {
        const own = Object.entries(valuesOf(alternatives(document, schema))).map(([wire, value]) => [value, wire]);
        const english = words.names[name] ?? name;
        if (own.length > 0) values[english] = { ...values[english], ...Object.fromEntries(own) };
      }
    }
  }
  return values;
}

/** @param {string} path */
const withoutPrefix = (path) => path.replace(/^\/api\/v1/, '');

/** @param {string} name @param {number | undefined} place */
const named = (name, place) => place !== undefined && { [name]: place };

/** @param {Schema | undefined} content */
const jsonOf = (content) => content?.content?.['application/json']?.schema;

/** The schema of a frame of a stream; events of a session have a table of their own. @param {Schema} operation */
function frameOf({ responses }) {
  const schema = responses['200']?.content?.['text/event-stream']?.schema;
  return schema?.$ref ? undefined : schema;
}

/** The schemas of `data` in the envelopes. @param {Schema} document @param {Schema} operation */
function answersOf(document, { responses }) {
  const envelopes = SUCCESSES.map((status) => jsonOf(responses[status])).filter((schema) => schema !== undefined);
  return envelopes.flatMap((schema) => alternatives(document, schema).map((one) => one.properties?.data));
}

/** @param {Schema} document @param {Schema} operation @param {string} place @returns {Schema[]} */
function parametersOf(document, { parameters = [] }, place) {
  return parameters
    .map((/** @type {Schema} */ one) => (one.$ref ? document.components.parameters[one.$ref.split('/').pop()] : one))
    .filter((/** @type {Schema} */ one) => one.in === place);
}

/** Places, each made once and numbered; those in which nothing is renamed are left out. @param {Schema} document */
function placesOf(document) {
  /** @type {Map<Schema, number>} */
  const ids = new Map();
  /** @type {Map<string, number>} */
  const made = new Map();
  /** @type {Place[]} */
  const places = [];
  const idOf = (/** @type {Schema} */ schema) => ids.get(schema) ?? (ids.set(schema, ids.size), ids.size - 1);

  /** @param {string} key @param {() => Place} make */
  const once = (key, make) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const id = places.push(make()) - 1;
    made.set(key, id);
    return id;
  };
  /** The place of a field with these values. @param {Record<string, string> | undefined} values */
  const valuesPlace = (values) => (values ? once(JSON.stringify(values), () => ({ values })) : undefined);
  /** Fields of JSON of any form. @param {Record<string, string>} names */
  const looseFields = (names) =>
    once(JSON.stringify(names), () => ({
      fields: Object.fromEntries(Object.entries(names).map(([wire, name]) => [wire, [name]])),
    }));
  const actionPlace = () =>
    once('action', () => {
      const { names, values } = words.action;
      const below = {
        pianificazione: of(document.components.schemas.AutomationSchedule),
        avvisi: once('warnings', () => ({ fields: { minacce: ['threats', valuesPlace(words.open.minacce)] } })),
      };
      const fields = Object.entries(names).map(([wire, name]) => [
        wire,
        [name, below[/** @type {keyof typeof below} */ (wire)] ?? valuesPlace(values[wire])],
      ]);
      return { fields: Object.fromEntries(fields) };
    });
  /** @param {(Schema | undefined)[]} schemas The schemas of a value that has one of them. @returns {number | undefined} */
  const of = (...schemas) => {
    const all = schemas.flatMap((schema) => (schema ? alternatives(document, schema) : [])).flatMap(elementsOf);
    const known = all.filter((schema) => !isFree(schema));
    if (known.length === 0 || known.length < all.length) return undefined;
    const key = [...new Set(known.map(idOf))].sort((a, b) => a - b).join();
    const found = made.get(key);
    if (found !== undefined) return found;
    const id = places.length;
    made.set(key, id);
    places.push({});
    places[id] = placeOf(known);
    return id;
  };
  /** @param {Schema} schema @returns {Schema[]} */
  const elementsOf = (schema) => {
    const items = schema.items ?? schema.prefixItems;
    return items
      ? [items]
          .flat()
          .flatMap((one) => alternatives(document, one))
          .flatMap(elementsOf)
      : [schema];
  };
  /** @param {string} wire @param {Schema[]} own */
  const fieldPlace = (wire, own) => {
    const schemas = own.flatMap((schema) => alternatives(document, schema)).flatMap(elementsOf);
    if (wire === 'azione' && schemas.some(isFree)) return actionPlace();
    const loose = words.loose[wire];
    if (loose && schemas.every(isFree)) return looseFields(loose);
    const known = words.open[wire];
    return known && schemas.some(({ type }) => [type].flat().includes('string'))
      ? valuesPlace({ ...valuesOf(schemas), ...known })
      : of(...own);
  };
  /** @param {Schema[]} schemas @returns {Place} */
  const placeOf = (schemas) => {
    /** @type {Map<string, { name: string, fields: Schema[] }>} */
    const fields = new Map();
    for (const schema of schemas) {
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        const known = fields.get(name) ?? { name: nameIn(document, schema, name), fields: [] };
        if (known.name !== nameIn(document, schema, name))
          throw new Error(`${name} has two English names in one place`);
        fields.set(name, { ...known, fields: [...known.fields, field] });
      }
    }
    const maps = schemas
      .map(({ additionalProperties }) => additionalProperties)
      .filter((one) => one?.constructor === Object);
    return {
      fields: Object.fromEntries(
        [...fields].map(([wire, { name, fields: own }]) => [wire, [name, fieldPlace(wire, own)]]),
      ),
      ...(maps.length > 0 && fields.size === 0 && { each: of(...maps) }),
      values: valuesOf(schemas),
    };
  };
  return {
    of,
    action: actionPlace,
    numbered: (/** @type {any} */ roots) => renumber(places, roots),
  };
}

/** The values of enumerations that have an English form. @param {Schema[]} schemas @returns {Record<string, string>} */
function valuesOf(schemas) {
  const all = schemas.flatMap((schema) => schema.enum ?? [schema.const]).filter((value) => valueOf(value) !== value);
  return Object.fromEntries(all.map((value) => [value, valueOf(value)]));
}

/** A value of any form: nothing of it is renamed. @param {Schema} schema */
function isFree({ type, properties, additionalProperties, enum: values, const: value }) {
  if (values || value !== undefined) return false;
  if (type === undefined) return true;
  const isOpen =
    additionalProperties === true || (additionalProperties && Object.keys(additionalProperties).length === 0);
  return type === 'object' && !properties && (additionalProperties === undefined || isOpen);
}

/** Only the places in which something is renamed, numbered anew, also in `roots`. @param {Place[]} places @param {any} roots */
function renumber(places, roots) {
  const order = new Map([...neededOf(places)].map((id, index) => [id, index]));
  const kept = [...order.keys()].map((id) => {
    const { fields = {}, each, values = {} } = /** @type {Place} */ (places[id]);
    const own = Object.entries(fields).flatMap(([wire, [name, below]]) => {
      const place = below === undefined ? undefined : order.get(below);
      if (name === wire && place === undefined) return [];
      return [[wire, place === undefined ? [name] : [name, place]]];
    });
    const below = each === undefined ? undefined : order.get(each);
    return {
      ...(own.length > 0 && { fields: Object.fromEntries(own) }),
      ...(below !== undefined && { each: below }),
      ...(Object.keys(values).length > 0 && { values }),
    };
  });
  return { places: kept, ...renumbered(roots, order) };
}

/** Numbers below `root` in the new order; what then is empty is left out. @param {any} root @param {Map<number, number>} order */
function renumbered(root, order) {
  const entries = Object.entries(root)
    .map(([key, value]) => [key, typeof value === 'number' ? order.get(value) : renumbered(value, order)])
    .filter(([, value]) => value !== undefined && (typeof value === 'number' || Object.keys(value).length > 0));
  return Object.fromEntries(entries);
}

/** @param {Place[]} places @returns {Set<number>} */
function neededOf(places) {
  /** @type {Set<number>} */
  const needed = new Set();
  const belowOf = (/** @type {Place} */ { fields = {}, each }) => [
    each,
    ...Object.values(fields).map(([, below]) => below),
  ];
  for (let before = -1; before !== needed.size; ) {
    before = needed.size;
    for (const [id, place] of places.entries()) {
      const isRenamed = Object.entries(place.fields ?? {}).some(([wire, [name]]) => name !== wire);
      const hasValues = Object.keys(place.values ?? {}).length > 0;
      if (isRenamed || hasValues || belowOf(place).some((below) => below !== undefined && needed.has(below)))
        needed.add(id);
    }
  }
  return needed;
}
