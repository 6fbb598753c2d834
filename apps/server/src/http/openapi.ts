import { commonError } from '@fucina/shared';
import * as z from 'zod';
import type { Answer } from './answers.ts';
import { describeFields } from './descriptions/describe-fields.ts';
import { isOpenedFromOutside } from './guard.ts';
import type { AnyOperation, Tag } from './operation.ts';
import { parameterDescription } from './parameter-descriptions.ts';
import { STATUSES } from './statuses.ts';
import { storeCodeOf } from './store-refusal.ts';
import { FILE_NAME_HEADER, fileUpload, isStreamed, UPLOAD_TYPE } from './upload.ts';

const COMMON_ERRORS = [...commonError.codes, 'HOST_FORBIDDEN', 'ORIGIN_FORBIDDEN'] as const;

type Json = Record<string, unknown>;

/**
 * The interface as OpenAPI 3.1. Codecs have the wire format on their input side, so one setting is right for both
 * directions.
 */
export function openApi(operations: readonly AnyOperation[], version: string): Json {
  const components: Json = {};
  const schemaOf = (schema: z.ZodType): Json => {
    const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
    const text = JSON.stringify(made).replaceAll('#/$defs/', '#/components/schemas/');
    const { $schema: _dialect, $defs = {}, ...rest } = JSON.parse(text) as Json & { $defs?: Json };
    Object.assign(components, $defs);
    return rest;
  };

  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = `/api/v1${operation.path.replaceAll('*}', '}')}`;
    paths[path] ??= {};
    (paths[path] as Json)[operation.method.toLowerCase()] = describe(operation, schemaOf);
  }
  const schemas = { ...sorted(components), Error: errorEnvelope(), Meta: metaSchema() };
  describeFields({ components: schemas, paths });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fucina',
      version,
      description:
        'The loopback interface of Fucina. Every GET also answers HEAD. Errors keep the envelope with ok false.',
      contact: { name: 'Fucina' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://127.0.0.1:4174', description: 'This computer' }],
    security: [{ token: [] }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name, description: TAGS[name] })),
    paths,
    components: {
      securitySchemes: SECRETS,
      schemas,
    },
  };
}

function describe(operation: AnyOperation, schemaOf: (schema: z.ZodType) => Json): Json {
  const requestBody = isStreamed(operation.body) ? UPLOAD_BODY : jsonBody(operation.body, schemaOf(operation.body));
  const { answer } = operation;
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: descriptionOf(operation),
    parameters: [
      ...parametersOf(operation, 'path', schemaOf),
      ...parametersOf(operation, 'query', schemaOf),
      ...(operation.body === fileUpload ? [FILE_NAME] : []),
      ...Object.keys(operation.requestHeaders ?? {}).map((name) => askedHeader(name, operation)),
      ...(answer.kind === 'stream' ? [LAST_EVENT_ID] : []),
    ],
    ...securityOf(operation),
    ...(requestBody && { requestBody }),
    responses: {
      [answer.status]: {
        description: answer.kind === 'stream' ? 'One event per data line; id is its sequence' : 'Success',
        content: contentOf(answer, schemaOf),
      },
      ...(answer.kind === 'maybe-bytes' && { 204: { description: 'There is none' } }),
      ...errorResponses(operation),
    },
    'x-error-codes': [...operation.errors],
    'x-guards': [...operation.guards],
  };
}

const SECRETS = {
  token: { type: 'apiKey', in: 'cookie', name: 'svc_token', description: 'The token the server was started with' },
  shutdownToken: {
    type: 'apiKey',
    in: 'header',
    name: 'x-svc-shutdown-token',
    description: 'Authorizes stopping the server',
  },
  launcherToken: { type: 'apiKey', in: 'header', name: 'x-svc-launcher-token', description: 'Authorizes the launcher' },
  hookSecret: { type: 'http', scheme: 'bearer', description: 'Starts one automation, instead of the token' },
} as const;

/** Replaces or extends the default security; an address with its own secret needs no other. */
function securityOf({ guards }: AnyOperation): { security?: Json[] } {
  if (isOpenedFromOutside(guards)) return { security: [] };
  if (guards.includes('hook-secret')) return { security: [{ hookSecret: [] }] };
  if (guards.includes('shutdown-token')) return { security: [{ token: [], shutdownToken: [] }] };
  if (guards.includes('launcher-token')) return { security: [{ token: [], launcherToken: [] }] };
  return {};
}

function descriptionOf({ guards, errors }: AnyOperation): string {
  const access = isOpenedFromOutside(guards)
    ? 'Needs no cookie: the address holds a secret.'
    : guards.includes('hook-secret')
      ? 'Needs the secret of the automation as a bearer token, and no cookie.'
      : 'Needs the cookie when the server has a token.';
  const isWindowOnly = guards.some((guard) => guard.startsWith('from-window:'));
  const origin = isWindowOnly ? ' From the window, or from a program when the server has a token.' : '';
  const own = errors.length ? ` Own error codes: ${errors.join(', ')}.` : ' No error codes of its own.';
  return `${access}${origin}${own}`;
}

/** Undefined without a body. Optional if the operation accepts an empty object. */
function jsonBody(body: z.ZodType, schema: Json): Json | undefined {
  const isEmpty = schema.type === 'object' && !Object.keys((schema.properties as Json | undefined) ?? {}).length;
  if (isEmpty) return undefined;
  return { required: !z.safeDecode(body, {} as never).success, content: { 'application/json': { schema } } };
}

const UPLOAD_BODY = { required: true, content: { [UPLOAD_TYPE]: { schema: { type: 'string', format: 'binary' } } } };
const FILE_NAME = {
  name: FILE_NAME_HEADER,
  in: 'header',
  required: true,
  description: 'The name of the file, percent-encoded',
  schema: { type: 'string' },
};

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'The sequence number of the last event received; only later ones follow',
  schema: { type: 'string', pattern: '^[0-9]{1,15}$' },
};

/** Headers of HTTP that operations read; ours carry text. */
const HTTP_HEADERS: Readonly<Record<string, string>> = {
  range: 'The bytes that are asked for, as RFC 9110 says',
  'if-range': 'The version whose range is asked for; of another version the whole file is sent',
  'sec-fetch-dest': 'What the browser asks it for; it sets this itself',
};

function askedHeader(name: string, { requiredHeaders = [] }: AnyOperation): Json {
  const required = requiredHeaders.includes(name);
  const description = HTTP_HEADERS[name] ?? 'Percent-encoded text';
  return { name, in: 'header', required, description, schema: { type: 'string' } };
}

const TAGS: Readonly<Record<Tag, string>> = {
  'Health and diagnostics': 'Health, readiness, error references and shutdown',
  Sessions: 'Conversations of an agent on a project folder',
  'Turns and approvals': 'Messages, the queue, and the answers an agent waits for',
  'Files and folders': 'The folder of a session, uploads and previews',
  'Git and GitHub': 'Git state and actions, pull requests',
  'Library, notes, tasks, memory, research': 'What users store across sessions, and research reports',
  'Tools and extensions': 'Tools, hooks, MCP servers, plugins and skills',
  Terminals: 'Shells of the user beside a session',
  Workflows: 'Proposals, runs and their graphs',
  Browser: 'Reading pages, previews and the live browser',
  Automations: 'Task templates on a schedule',
  'Models and providers': 'Providers, keys, models and search sources',
  'Local models': 'Models and engines on this computer',
  Extensions: 'Operations beyond those of the described interface: the sandbox of commands',
};

function contentOf(answer: Answer, schemaOf: (schema: z.ZodType) => Json): Json {
  switch (answer.kind) {
    case 'bytes':
    case 'maybe-bytes':
      return { [answer.mediaType]: { schema: { type: 'string', format: 'binary' } } };
    case 'forms':
      return {
        'application/json': { schema: successEnvelope(schemaOf(answer.schema)) },
        [answer.mediaType]: { schema: { type: 'string', format: 'binary' } },
      };
    case 'page':
      return { 'text/html': { schema: { type: 'string' } } };
    case 'stream':
      return { 'text/event-stream': { schema: schemaOf(answer.schema) } };
    case 'items':
      return { 'application/json': { schema: successEnvelope(schemaOf(z.object({ items: z.array(answer.schema) }))) } };
    case 'list':
    case 'json':
    case 'view':
      return { 'application/json': { schema: successEnvelope(schemaOf(answer.schema)) } };
  }
}

function parametersOf(operation: AnyOperation, place: 'path' | 'query', schemaOf: (schema: z.ZodType) => Json): Json[] {
  const { properties = {}, required = [] } = schemaOf(place === 'path' ? operation.params : operation.query) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...field }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    description: description ?? parameterDescription(operation, name),
    schema: field,
  }));
}

function errorResponses(operation: AnyOperation): Json {
  const byStatus = new Map<number, string[]>();
  for (const code of [...COMMON_ERRORS, ...operation.errors, storeCodeOf(operation)]) {
    const status = STATUSES[code];
    byStatus.set(status, [...new Set([...(byStatus.get(status) ?? []), code])]);
  }
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        status,
        {
          description: codes.join(', '),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      ]),
  );
}

function successEnvelope(data: Json): Json {
  return {
    type: 'object',
    required: ['ok', 'data', 'meta'],
    properties: { ok: { const: true }, data, meta: { $ref: '#/components/schemas/Meta' } },
  };
}

function metaSchema(): Json {
  return {
    type: 'object',
    required: ['schema', 'generatedAt'],
    properties: {
      schema: { const: 'svc.harness-ui.api.v1' },
      generatedAt: { type: 'string', format: 'date-time' },
      sourceHash: { type: 'string' },
    },
  };
}

function errorEnvelope(): Json {
  const words = ['code', 'message', 'title', 'explanation', 'action', 'doctorReference'];
  const properties = Object.fromEntries(words.map((name) => [name, { type: 'string' }]));
  return {
    type: 'object',
    required: ['ok', 'error', 'meta'],
    properties: {
      ok: { const: false },
      error: {
        type: 'object',
        required: words,
        properties: { ...properties, reason: { type: 'string' }, params: { type: 'object' } },
      },
      meta: { $ref: '#/components/schemas/Meta' },
    },
  };
}

function sorted(record: Json): Json {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
