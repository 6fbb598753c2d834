import type { Request, RequestHandler, Response } from 'express';

/** Data that steps of a request pass to later steps. */
export interface Locals {
  requestId: string;
  /** For the log: `METHOD /path` of an operation, else the requested path. */
  operation: string;
  /** The answer is shown in the browser: its errors are pages. */
  isPage: boolean;
  /** The validated Host header. */
  host: string;
  /** The path's methods, when none of its operations supports the request's method. */
  allow: string;
  /** Aborts when the client disconnects. */
  signal(): AbortSignal;
}

export type Call = Request<Record<string, string>, unknown, unknown, unknown, Locals>;
export type Reply = Response<unknown, Locals>;
/** One step of request processing. */
export type Step = RequestHandler<Record<string, string>, unknown, unknown, unknown, Locals>;
/** Throws an error for a request that must be rejected. */
export type Check = (request: Call, response: Reply) => void;
