import type { Request, RequestHandler, Response } from 'express';

/** What each step of a request leaves for those after it. */
export interface Locals {
  requestId: string;
  /** For the log: `METHOD /path` of an operation, else what was asked for. */
  operation: string;
  /** A user sees the answer itself in the browser: its errors are pages. */
  isPage: boolean;
  /** The Host header, checked: how the caller names this server. */
  host: string;
  /** Methods of the path when none of its operations takes the method of the request. */
  allow: string;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
}

export type Call = Request<Record<string, string>, unknown, unknown, unknown, Locals>;
export type Reply = Response<unknown, Locals>;
/** One step in the life of a request. */
export type Step = RequestHandler<Record<string, string>, unknown, unknown, unknown, Locals>;
/** Throws the refusal of a request that may not go on. */
export type Check = (request: Call, response: Reply) => void;
