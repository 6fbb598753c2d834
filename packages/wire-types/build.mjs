// The types of the English interface, and the tables by which @fucina/client renames requests, answers and events.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypes, { astToString } from 'openapi-typescript';
import { englishOf } from './english.mjs';
import { addressesOf, eventShapeOf, shapesOf } from './shapes.mjs';

const here = import.meta.dirname;
const document = JSON.parse(readFileSync(join(here, '..', '..', 'apps', 'server', 'openapi.json'), 'utf8'));

/** What a page reads before it shows anything, apart from all others: their table is too large for that. */
const FIRST = ['get /sessions'];

const NAMES_TYPES = `/** A place in a value; \`fields\` by name on the wire: the English name, and the place below it. */
export interface Place {
  fields?: Record<string, readonly [name: string, place?: number]>;
  each?: number;
  values?: Record<string, string>;
}
export declare const places: readonly Place[];
/** The places of bodies, answers and frames of streams, by method and English path. */
export declare const operations: Readonly<Record<string, { body?: number; answer?: number; frame?: number }>>;
`;
const EVENTS_TYPES = `import type { Place } from './names.js';
export declare const places: readonly Place[];
/** The place of an event. */
export declare const event: number;
/** The place of an action that is asked about; the arguments of our own tools have its names. */
export declare const action: number;
`;
const ADDRESSES_TYPES = `export declare const addresses: {
  /** On the wire, by English path. */
  readonly paths: Readonly<Record<string, string>>;
  /** Query parameters: the English name, the name on the wire, and the operations that have it; all others without a list. */
  readonly queries: readonly (readonly [name: string, wire: string, operations?: readonly string[]])[];
  /** Values of query parameters on the wire, by English name and value. */
  readonly values: Readonly<Record<string, Readonly<Record<string, string>>>>;
};
`;

const write = (/** @type {string} */ name, /** @type {string} */ text) => writeFileSync(join(here, 'dist', name), text);
const constant = (/** @type {string} */ name, /** @type {unknown} */ value) =>
  `export const ${name} = ${JSON.stringify(value)};\n`;

mkdirSync(join(here, 'dist'), { recursive: true });
const names = shapesOf(document, (operation) => !FIRST.includes(operation));
const first = shapesOf(document, (operation) => FIRST.includes(operation));
const events = eventShapeOf(document);
write('names.js', constant('places', names.places) + constant('operations', names.operations));
write('names.d.ts', NAMES_TYPES);
write('first-names.js', constant('places', first.places) + constant('operations', first.operations));
write('first-names.d.ts', NAMES_TYPES);
write(
  'event-names.js',
  constant('places', events.places) + constant('event', events.event) + constant('action', events.action),
);
write('event-names.d.ts', EVENTS_TYPES);
write('addresses.js', constant('addresses', addressesOf(document)));
write('addresses.d.ts', ADDRESSES_TYPES);
for (const name of ['rename.js', 'rename.d.ts']) copyFileSync(join(here, name), join(here, 'dist', name));
write('api.d.ts', astToString(await openapiTypes(englishOf(document))));
