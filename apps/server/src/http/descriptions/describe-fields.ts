import { COMMON } from './common.ts';
import { EXTENSIONS } from './extensions.ts';
import { FILES_AND_GIT } from './files-git.ts';
import { LIBRARY } from './library.ts';
import { MODELS } from './models.ts';
import { SESSIONS } from './sessions.ts';
import { WORKFLOWS_AND_BROWSER } from './workflows-browser.ts';

type Json = Record<string, unknown>;

/** Where a field is: in the record of that name or the operation of that id, below these fields. */
interface Place {
  owner: string;
  fields: readonly string[];
}

const SUBJECTS = [COMMON, SESSIONS, FILES_AND_GIT, EXTENSIONS, LIBRARY, MODELS, WORKFLOWS_AND_BROWSER];
const ENVELOPE = ['ok', 'data', 'meta'];

/**
 * Describes every field of the document that has no description of its own. A field is looked up by its whole place,
 * by the record or field that contains it, by the first part of the operation's id (`workflows/state`), and by its
 * name. Throws for a field without a description, and for a description without a field.
 */
export function describeFields({ components, paths }: { components: Json; paths: Json }): void {
  const descriptions = new Map<string, string>();
  const problems: string[] = [];
  for (const [key, text] of SUBJECTS.flatMap((subject) => Object.entries(subject))) {
    if (descriptions.has(key)) problems.push(`${key} is described twice`);
    descriptions.set(key, text);
  }
  const unused = new Set(descriptions.keys());
  const describe = (field: Json, place: Place): void => {
    if (typeof field.description === 'string') return;
    const key = keysOf(place).find((candidate) => descriptions.has(candidate));
    if (key === undefined) problems.push(`${[place.owner, ...place.fields].join('.')} has no description`);
    else {
      unused.delete(key);
      field.description = descriptions.get(key);
    }
  };
  for (const [owner, schema] of Object.entries(components)) walk(schema, { owner, fields: [] }, describe);
  for (const methods of Object.values(paths)) {
    for (const operation of Object.values(methods as Json)) {
      const { operationId: owner, requestBody, responses } = operation as Json & { operationId: string };
      walk([requestBody, responses], { owner, fields: [] }, describe);
    }
  }
  problems.push(...[...unused].map((key) => `${key} describes no field`));
  if (problems.length > 0) throw new Error(`Descriptions of fields (src/http/descriptions):\n${problems.join('\n')}`);
}

function keysOf({ owner, fields }: Place): string[] {
  const [name = '', parent] = fields.toReversed();
  const area = owner.split('.').slice(0, owner.startsWith('ext.') ? 2 : 1);
  return [
    `${owner}.${fields.join('.')}`,
    `${owner}.${parent}.${name}`,
    parent === undefined ? `${owner}.${name}` : `${parent}.${name}`,
    `${area.join('.')}/${name}`,
    name,
  ];
}

function walk(node: unknown, place: Place, describe: (field: Json, place: Place) => void): void {
  if (Array.isArray(node)) for (const part of node) walk(part, place, describe);
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
  const { properties, ...rest } = node as Json & { properties?: Record<string, Json> };
  for (const [name, field] of Object.entries(properties ?? {})) {
    const isOfEnvelope = isEnvelope(properties, place);
    const inside = isOfEnvelope ? { owner: 'envelope', fields: [name] } : { ...place, fields: [...place.fields, name] };
    describe(field, inside);
    walk(field, isOfEnvelope ? place : inside, describe);
  }
  walk(Object.values(rest), place, describe);
}

/** The frame around what an operation answers: its fields mean the same everywhere. */
function isEnvelope(properties: object | undefined, { fields }: Place): boolean {
  return fields.length === 0 && ENVELOPE.join() === Object.keys(properties ?? {}).join();
}
