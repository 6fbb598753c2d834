import { commonError } from '@fucina/shared';
import { Router } from 'express';
import { type Guard, isOpenedFromOutside, type Secrets, windowCode } from './guard.ts';
import type { Check, Step } from './locals.ts';
import { MCP_PATH, type McpEndpoint } from './mcp-endpoint.ts';
import { checkAccess, checkHookAccess, checkMcpAccess, checkSecrets } from './middleware/access.ts';
import { type BodyNeeds, readBody } from './middleware/body.ts';
import { type ErrorNeeds, sendError } from './middleware/errors.ts';
import { checkOrigin, checkSocketOrigin, checkWindow } from './middleware/origin.ts';
import type { AnyOperation, Method, Tag } from './operation.ts';
import { type RunNeeds, runOperation } from './run.ts';
import { acceptTerminal, onlyUpgrades, TERMINAL_PATH, type TerminalNeeds } from './upgrade.ts';

/** A row of the generated table: what a route needs before its first request. Loads no schema. */
export interface Route {
  id: string;
  tag: Tag;
  method: Method;
  path: string;
  guards: readonly Guard[];
  load(): Promise<AnyOperation>;
}

export interface MountNeeds extends RunNeeds, BodyNeeds, TerminalNeeds, ErrorNeeds {
  secrets: Secrets;
  mcp: McpEndpoint;
}

/**
 * Everything below `/api`: one router per tag, created at the first request for one of its paths. Unknown paths pass
 * the same gate before their 404 or 405.
 */
export function mountApi(routes: readonly Route[], needs: MountNeeds): Router {
  const api = Router(EXACT);
  const { token } = needs.secrets;
  const terminalGate = passing(checkSocketOrigin(token !== undefined), checkAccess(token));
  api.all(TERMINAL_PATH, onlyUpgrades, terminalGate, acceptTerminal(needs));
  api.all(MCP_PATH, passing(checkOrigin(), checkMcpAccess(needs.secrets)), needs.mcp.handle);
  const v1 = Router(EXACT);
  for (const ofTag of grouped(routes, ({ tag }) => tag)) v1.use(mountTag(ofTag, needs));
  api.use('/v1', v1);
  api.use(nameUnknown, gate([], needs), refuseUnknown);
  api.use(sendError(needs));
  return api;
}

const EXACT = { caseSensitive: true, strict: true };
const VERBS = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const satisfies Record<Method, string>;

function mountTag(routes: readonly Route[], needs: MountNeeds): Step {
  const names = new Set(routes.map(({ path }) => firstSegment(path)));
  let router: Router | undefined;
  return (request, response, next) => {
    if (!names.has(firstSegment(request.path))) return next();
    router ??= routerOf(routes, needs);
    router(request as never, response, next);
  };
}

const firstSegment = (path: string): string => path.split('/', 2)[1] ?? '';

/** Literal segments before parameters: `/tasks/batch` before `/tasks/{taskId}`. GET also handles HEAD. */
function routerOf(routes: readonly Route[], needs: MountNeeds): Router {
  const router = Router(EXACT);
  const literalsFirst = (a: Route, b: Route): number => (sortKey(a.path) < sortKey(b.path) ? -1 : 1);
  for (const ofPath of grouped(routes.toSorted(literalsFirst), ({ path }) => path)) {
    const path = ofPath[0]?.path ?? '';
    const route = router.route(expressPath(path));
    if (path.endsWith('*}')) route.all(skipEmptySegment);
    for (const one of ofPath) {
      route[VERBS[one.method]](
        nameIt(one),
        gate(one.guards, needs),
        readBody(one.load, needs),
        runOperation(one.load, needs),
      );
    }
    route.all(allowOthers(ofPath));
  }
  router.use(sendError(needs));
  return router;
}

const sortKey = (path: string): string => path.replaceAll('{', '\uffff');

/** `{id}` → `:id`, `{path*}` → `*path`: one segment, or all remaining ones. */
function expressPath(path: string): string {
  return path.replace(/\{(\w+)\*\}/g, '*$1').replace(/\{(\w+)\}/g, ':$1');
}

/** Origin → token → narrower secrets. Applied to every operation and to unknown paths. */
function gate(guards: readonly Guard[], { secrets, services }: MountNeeds): Step {
  const code = windowCode(guards);
  const access = guards.includes('hook-secret') ? checkHookAccess(services) : checkAccess(secrets.token);
  const checks = isOpenedFromOutside(guards) ? [] : [checkOrigin(code), access];
  checks.push(checkSecrets(guards, secrets));
  if (code !== undefined) checks.push(checkWindow(code, secrets.token !== undefined));
  return passing(...checks);
}

function passing(...checks: readonly Check[]): Step {
  return (request, response, next) => {
    for (const check of checks) check(request, response);
    next();
  };
}

/** A remaining path starts with a name: `/pages/1//x` is not a page. */
const skipEmptySegment: Step = ({ params }, _response, next) => {
  const isEmpty = Object.values(params).some((value: string | string[]) => value[0] === '');
  next(isEmpty ? 'route' : undefined);
};

function nameIt({ method, path, guards }: Route): Step {
  return (_request, response, next) => {
    response.locals.operation = `${method} ${path}`;
    response.locals.isPage = guards.includes('sign-in-state');
    next();
  };
}

/** Another path may still support the method: 405 is decided at the end, over all matching paths. */
function allowOthers(routes: readonly Route[]): Step {
  const methods = routes.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  return (_request, { locals }, next) => {
    locals.allow = [...new Set([...locals.allow.split(', '), ...methods])].filter(Boolean).sort().join(', ');
    next();
  };
}

const nameUnknown: Step = (_request, { locals }, next) => {
  locals.operation = locals.allow ? 'wrong-method' : 'unknown';
  next();
};

const refuseUnknown: Step = (_request, response) => {
  const { locals } = response;
  if (!locals.allow) throw commonError('NOT_FOUND', { reason: 'unknown-path' });
  response.set('Allow', locals.allow);
  throw commonError('METHOD_NOT_ALLOWED');
};

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups.values()];
}
