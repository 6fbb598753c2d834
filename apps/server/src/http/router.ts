import type { Guard } from './guards.ts';
import type { AnyOperation, Method } from './operation.ts';

/** A line of the generated table: all that routing needs, without loading a schema. */
export interface Route {
  id: string;
  method: Method;
  path: string;
  guards: readonly Guard[];
  load(): Promise<AnyOperation>;
}

export type Match =
  | { kind: 'found'; route: Route; params: Record<string, string> }
  | { kind: 'wrong-method'; allow: string }
  | { kind: 'unknown' };

/**
 * Literal segments win over parameters. The method is judged last, over every pattern that fits, so that
 * `/tasks/{taskId}` never hides a POST to `/tasks/batch`. GET also answers HEAD.
 */
export function createRouter(routes: readonly Route[]): (method: string, path: string) => Match {
  const patterns = routes
    .map((route) => ({ route, segments: route.path.slice(1).split('/') }))
    .sort((a, b) => (sortKey(a.route.path) < sortKey(b.route.path) ? -1 : 1));

  return (method, path) => {
    const segments = path.replace(/^\//, '').split('/');
    const fitting = patterns.filter((pattern) => fits(pattern.segments, segments));
    if (!fitting.length) return { kind: 'unknown' };
    const wanted = method === 'HEAD' ? 'GET' : method;
    const found = fitting.find(({ route }) => route.method === wanted);
    if (!found) return { kind: 'wrong-method', allow: allowOf(fitting.map(({ route }) => route.method)) };
    return { kind: 'found', route: found.route, params: readParams(found.segments, segments) };
  };
}

const sortKey = (path: string): string => path.replaceAll('{', '\uffff');

const isParameter = (segment: string): boolean => segment.startsWith('{');
const isTail = (segment: string | undefined): boolean => segment?.endsWith('*}') ?? false;

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  const hasTail = isTail(pattern.at(-1));
  if (hasTail ? segments.length < pattern.length : segments.length !== pattern.length) return false;
  return pattern.every((part, index) => (isParameter(part) ? segments[index] !== '' : part === segments[index]));
}

function readParams(pattern: readonly string[], segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  pattern.forEach((part, index) => {
    if (!isParameter(part)) return;
    const raw = isTail(part) ? segments.slice(index).join('/') : (segments[index] ?? '');
    params[part.replace(/[{}*]/g, '')] = raw;
  });
  return params;
}

function allowOf(methods: readonly Method[]): string {
  const all = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return [...new Set(all)].sort().join(', ');
}
