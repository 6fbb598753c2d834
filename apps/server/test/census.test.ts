import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { describeFields } from '../src/http/descriptions/describe-fields.ts';
import { DESCRIBED_PARAMETERS } from '../src/http/parameter-descriptions.ts';
import { ROUTES } from '../src/routes.ts';
import { PINNED_EXTENSIONS, PINNED_OPERATIONS } from './pins/interface.ts';

const key = (method: string, path: string): string => `${method} ${path.replace(/\{[^}]+\}/g, '{}')}`;

const isExtension = (path: string): boolean => path.startsWith('/ext/');
const declared = ROUTES.map(({ method, path }) => key(method, path));

test('declares only operations of the 268 and extensions, each once', () => {
  const known = new Set([...PINNED_OPERATIONS, ...PINNED_EXTENSIONS].map(([method, path]) => key(method, path)));
  expect(declared.filter((operation) => !known.has(operation))).toEqual([]);
  expect(new Set(declared).size).toBe(declared.length);
});

test('declares all 268 operations', () => {
  const missing = PINNED_OPERATIONS.map(([method, path]) => key(method, path)).filter((one) => !declared.includes(one));
  expect(missing).toEqual([]);
  expect(ROUTES.filter(({ path }) => !isExtension(path))).toHaveLength(268);
});

test('counts extensions apart, under their own address and tag, and lists each in docs/EXTENSIONS.md', () => {
  const extensions = ROUTES.filter(({ path }) => isExtension(path));
  expect(extensions).toHaveLength(PINNED_EXTENSIONS.length);
  const { paths } = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));
  const tagOf = ({ method, path }: (typeof ROUTES)[number]) =>
    paths[`/api/v1${path.replace('*}', '}')}`][method.toLowerCase()].tags[0];
  expect(ROUTES.filter((route) => isExtension(route.path) !== (tagOf(route) === 'Extensions'))).toEqual([]);
  const page = readFileSync(new URL('../../../docs/EXTENSIONS.md', import.meta.url), 'utf8');
  const listed = extensions.filter(({ method, path }) => page.includes(`\`${method} ${path}\``));
  expect(listed).toEqual(extensions);
});

test('the list has 116 GET, 136 POST, 7 PATCH and 9 DELETE', () => {
  const count = (method: string): number => PINNED_OPERATIONS.filter(([candidate]) => candidate === method).length;
  expect([count('GET'), count('POST'), count('PATCH'), count('DELETE')]).toEqual([116, 136, 7, 9]);
});

test('openapi.json lists every route with its response and error codes', () => {
  const document = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));
  for (const { method, path } of ROUTES) {
    const operation = document.paths[`/api/v1${path.replace('*}', '}')}`]?.[method.toLowerCase()];
    expect(operation?.operationId).toBeTruthy();
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['400', '401', '500']));
  }
});

describe('openapi.json', () => {
  const { paths, components } = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));
  const operationAt = (method: string, path: string) => paths[`/api/v1${path}`][method];
  const headersOf = (method: string, path: string) =>
    (operationAt(method, path).parameters as { in: string; name: string; required: boolean }[])
      .filter((parameter) => parameter.in === 'header')
      .map(({ name, required }) => [name, required]);

  test('names every operation once', () => {
    const ids = Object.values(paths).flatMap((item) =>
      Object.values(item as object).map(({ operationId }) => operationId as string),
    );
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('describes every body and marks it required when an empty one is refused', () => {
    expect(operationAt('post', '/browser/vivo/gesto').requestBody.required).toBe(true);
    expect(operationAt('post', '/sessions/{sessionId}/rename').requestBody.required).toBe(true);
    expect(operationAt('post', '/sessions/{sessionId}/resume').requestBody.required).toBe(false);
    expect(operationAt('post', '/sessions/{sessionId}/stop').requestBody.required).toBe(false);
  });

  test('names the secret that replaces or accompanies the cookie', () => {
    expect(operationAt('get', '/auth/aggregator/ritorno').security).toEqual([]);
    expect(operationAt('get', '/pagine/{pageId}/{path}').security).toEqual([]);
    expect(operationAt('post', '/admin/shutdown').security).toEqual([{ token: [], shutdownToken: [] }]);
    expect(operationAt('post', '/workspace-launches').security).toEqual([{ token: [], launcherToken: [] }]);
    expect(components.securitySchemes.shutdownToken.name).toBe('x-svc-shutdown-token');
    expect(components.securitySchemes.launcherToken.name).toBe('x-svc-launcher-token');
  });

  test('declares the headers that operations read', () => {
    expect(headersOf('get', '/sessions/{sessionId}/events')).toContainEqual(['Last-Event-ID', false]);
    expect(headersOf('post', '/local-models/import')).toEqual([
      ['x-svc-model-id', true],
      ['x-svc-model-filename', true],
      ['x-svc-model-bytes', true],
      ['x-svc-model-name', false],
    ]);
  });
});

test('describes every field', () => {
  const document = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));
  const missing: string[] = [];
  let described = 0;
  const look = (node: unknown, place: string): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, part] of Object.entries(node)) {
      look(part, `${place}/${name}`);
      if (name !== 'properties') continue;
      for (const [field, { description }] of Object.entries<Described>(part)) {
        if (description) described += 1;
        else missing.push(`${place}/${field}`);
      }
    }
  };
  look(document, '#');
  expect(missing).toEqual([]);
  expect(described).toBeGreaterThanOrEqual(4_678);
});

test('refuses a field without a description, and a description without a field', () => {
  const schema = { type: 'object', properties: { thisFieldIsNew: { type: 'string' } } };
  const act = (): void => describeFields({ components: { NewRecord: schema }, paths: {} });
  expect(act).toThrow(/^NewRecord\.thisFieldIsNew has no description$/m);
  expect(act).toThrow(/^sessionId describes no field$/m);
});

interface Described {
  name: string;
  description?: string;
}

test('describes every operation, tag, parameter and event', () => {
  const document = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));
  const missing: string[] = document.tags
    .filter((tag: Described) => !tag.description)
    .map((tag: Described) => tag.name);
  const used = new Set<string>();
  for (const { id, method, path } of ROUTES) {
    const { summary, description, parameters } =
      document.paths[`/api/v1${path.replace('*}', '}')}`][method.toLowerCase()];
    if (!summary || !description) missing.push(id);
    for (const parameter of parameters as Described[]) {
      used.add(parameter.name).add(`${id} ${parameter.name}`);
      if (!parameter.description) missing.push(`${id} ${parameter.name}`);
    }
  }
  const events = Object.entries<Described>(document.components.schemas).filter(([name]) => name.endsWith('Event'));
  missing.push(...events.flatMap(([name, { description }]) => (description ? [] : [name])));
  expect(missing).toEqual([]);
  expect(events.length).toBeGreaterThanOrEqual(46);
  expect(DESCRIBED_PARAMETERS.filter((name) => !used.has(name))).toEqual([]);
});
