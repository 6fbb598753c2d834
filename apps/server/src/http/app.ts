import express, { type Express } from 'express';
import { checkAddress } from './middleware/address.ts';
import { readCookies } from './middleware/cookies.ts';
import { sendError } from './middleware/errors.ts';
import { requestLog } from './middleware/request-log.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { serveWindow, type WindowFilesNeeds } from './middleware/window-files.ts';
import { type MountNeeds, mountApi, type Route } from './mount.ts';

export interface AppNeeds extends MountNeeds {
  routes: readonly Route[];
  /** The server's port, set once it listens. */
  port(): number;
  /** The host name of this instance, if it answers to it. */
  instance(): string | undefined;
  window: WindowFilesNeeds;
}

/** The steps of a request, from top to bottom. */
export function createApp(needs: AppNeeds): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').disable('query parser');
  app.enable('case sensitive routing').enable('strict routing');
  // Express's own error page would reveal the program's location.
  app.set('env', 'production');

  app.use(requestLog(needs.ambient));
  app.use(securityHeaders);
  app.use(checkAddress({ port: needs.port, instance: needs.instance, token: needs.secrets.token }));
  app.use('/api', readCookies, mountApi(needs.routes, needs));
  app.use(serveWindow(needs.window));
  app.use(sendError(needs));
  return app;
}
