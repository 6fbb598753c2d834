import { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';

/**
 * The classes that a server makes this application's requests and responses of. Express gives each of them its
 * prototype: to one that has it already nothing happens, to any other V8 looks up properties again at every use.
 */
export function messageClasses(app: Express) {
  class Request extends IncomingMessage {}
  class Response<Asked extends IncomingMessage> extends ServerResponse<Asked> {}
  Object.setPrototypeOf(Request.prototype, app.request);
  Object.setPrototypeOf(Response.prototype, app.response);
  Object.assign(app, { request: Request.prototype, response: Response.prototype });
  return { IncomingMessage: Request, ServerResponse: Response };
}
