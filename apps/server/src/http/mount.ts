import { commonError } from '@fucina/shared';
import { Router } from 'express';
import { type Guard, isOpenedFromOutside, type Secrets, windowCode } from './guard.ts';
import type { Check, Step } from './locals.ts';
import { MCP_PATH, type McpEndpoint } from './mcp-endpoint.ts';
import { checkAccess, checkHookAccess, checkMcpAccess, checkSecrets } from './middleware/access.ts';
import { type BodyNeeds, readBody } from './middleware/body.ts';
import { type ErrorNeeds, sendError } from './middleware/errors.ts';
import { checkOrigin, checkSocketOrigin, checkWindow } from './middleware/origin.ts';
import type { AnyOperation, Method } from './operation.ts';
import { type RunNeeds, runOperation } from './run.ts';
import { acceptTerminal, onlyUpgrades, TERMINAL_PATH, type TerminalNeeds } from './upgrade.ts';

/** A row of the generated table: what a route needs before its first request. Loads no schema. */
export interface Route {
  id: string;
  method: Method;
  path: string;
  guards: readonly Guard[];
  load(): Promise<AnyOperation>;
}

export interface MountNeeds extends RunNeeds, BodyNeeds, TerminalNeeds, ErrorNeeds {
  secrets: Secrets;
  mcp: McpEndpoint;
}

/** Everything below `/api`: a Router per resource. Unknown paths pass the same gate before their 404 or 405. */
export function mountApi(routes: readonly Route[], needs: MountNeeds): Router {
  const api = Router(EXACT);
  const { token } = needs.secrets;
  const terminalGate = passing(checkSocketOrigin(token !== undefined), checkAccess(token));
  api.all(TERMINAL_PATH, onlyUpgrades, terminalGate, acceptTerminal(needs));
  api.all(MCP_PATH, passing(checkOrigin(), checkMcpAccess(needs.secrets)), needs.mcp.handle);
  api.use('/v1', routed(routes, needs));
  api.use(nameUnknown, gate([], needs), refuseUnknown);
  api.use(sendError(needs));
  return api;
}

const EXACT = { caseSensitive: true, strict: true };
const VERBS = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const satisfies Record<Method, string>;

/** A Router per resource, the first segment of its paths; made at its first request, so that a start waits for none. */
function routed(routes: readonly Route[], needs: MountNeeds): Step {
  const ofResource = grouped(routes, ({ path }) => resourceOf(path));
  const routers = new Map<string, Router>();
  return (request, response, next) => {
    const resource = resourceOf(request.path);
    const those = ofResource.get(resource);
    if (!those) return next();
    const router = routers.get(resource) ?? routerOf(those, needs);
    routers.set(resource, router);
    router(request as never, response, next);
  };
}

function resourceOf(path: string): string {
  return path.split('/', 2)[1] ?? '';
}

/** Literal segments come before parameters: `/tasks/batch` before `/tasks/{taskId}`. GET also handles HEAD. */
function routerOf(routes: readonly Route[], needs: MountNeeds): Router {
  const router = Router(EXACT);
  const ofPath = grouped(routes, ({ path }) => path);
  for (const path of [...ofPath.keys()].sort(literalsFirst)) {
    const those = ofPath.get(path) ?? [];
    const route = router.route(expressPath(path));
    if (path.endsWith('*}')) route.all(skipEmptySegment);
    for (const one of those) {
      route[VERBS[one.method]](
        nameIt(one),
        gate(one.guards, needs),
        readBody(one.load, needs),
        runOperation(one.load, needs),
      );
    }
    route.all(allowOthers(those));
  }
  router.use(sendError(needs));
  return router;
}

function literalsFirst(one: string, other: string): number {
  return sortKey(one) < sortKey(other) ? -1 : 1;
}

/** A parameter sorts after every literal. */
function sortKey(path: string): string {
  return path.replaceAll('{', '\uffff');
}

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

function grouped(routes: readonly Route[], keyOf: (route: Route) => string): Map<string, Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) {
    const key = keyOf(route);
    groups.set(key, [...(groups.get(key) ?? []), route]);
  }
  return groups;
}
