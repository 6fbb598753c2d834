import type { Services } from '@fucina/host';
import type { ErrorCode } from '@fucina/shared';
import type { Language } from '@fucina/shared/sentences';
import * as z from 'zod';
import type { Answer, AnswerValue } from './answers.ts';
import type { Guard } from './guard.ts';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type Tag =
  | 'Health and diagnostics'
  | 'Sessions'
  | 'Turns and approvals'
  | 'Files and folders'
  | 'Git and GitHub'
  | 'Library, notes, tasks, memory, research'
  | 'Tools and extensions'
  | 'Terminals'
  | 'Workflows'
  | 'Browser'
  | 'Automations'
  | 'Models and providers'
  | 'Local models'
  | 'Extensions';

/** The input of a handler: decoded parameters and the services, independent of HTTP. */
export interface OperationInput<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  services: Services;
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
  /** Streams only: the last sequence that the client received. */
  resumeAfter: number | undefined;
  /** The headers that the operation declares, percent-decoded; absent ones are undefined. */
  asked: Readonly<Record<string, string | undefined>>;
  /** The caller's language, for answers with texts. */
  language: Language;
  /** The server's address as the caller used it, without a path. */
  origin: string;
  /** The server's loopback address, without a path: what providers accept as the return address of a sign-in. */
  returnOrigin: string;
  /** For the scripts and styles of one page; a new one for each request. */
  nonce(): string;
  /** Runs after the response was sent. */
  afterAnswer(act: () => void): void;
}

export interface Operation<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Result extends Answer = Answer,
> {
  id: string;
  tag: Tag;
  summary: string;
  method: Method;
  path: `/${string}`;
  params: Params;
  query: Query;
  body: Body;
  answer: Result;
  /** In addition to the six common ones and the gateway's own two. */
  errors: readonly ErrorCode[];
  guards: readonly Guard[];
  /** Frees space by deleting something: on a full disk it is retried with the disk reserve released. */
  makesRoom?: true;
  /** In bytes, if it differs from the server's general limit. */
  bodyLimit?: number;
  /**
   * Request headers that it reads, by lower-case name; values are percent-encoded. An invalid value is QUERY_INVALID.
   */
  requestHeaders?: Readonly<Record<string, z.ZodType<string>>>;
  /** The required ones, whose absence has its own error. */
  requiredHeaders?: readonly string[];
  /** Response headers that differ from the general ones. */
  headers?: Readonly<Record<string, string>>;
  /** Path of the created resource, below the interface's address; sent as Location. */
  location?(made: AnswerValue<Result>, params: z.output<Params>): string;
  /** Headers computed from the result. */
  headersOf?(answered: AnswerValue<Result>): Readonly<Record<string, string>>;
  /** Top-level body field → its error code, if not QUERY_INVALID. */
  refusals?: Readonly<Record<string, Refusal>>;
  handle(
    input: OperationInput<z.output<Params>, z.output<Query>, z.output<Body>>,
  ): Promise<AnswerValue<Result>> | AnswerValue<Result>;
}

export type Refusal = ErrorCode | ((value: unknown) => ErrorCode);

// biome-ignore lint/suspicious/noExplicitAny: the list of operations is heterogeneous by nature
// oxlint-disable-next-line typescript/no-explicit-any -- the list of operations is heterogeneous by nature
export type AnyOperation = Operation<any, any, any, any>;

const nothing = z.strictObject({});
type Nothing = typeof nothing;

type Declaration<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends Answer> = Omit<
  Operation<P, Q, B, A>,
  'params' | 'query' | 'body' | 'guards' | 'errors'
> & { params?: P; query?: Q; body?: B; guards?: readonly Guard[]; errors?: readonly ErrorCode[] };

/** Declares an operation; routing, guards, schemas, HEAD, limits, envelope and OpenAPI are derived from it. */
export function operation<
  A extends Answer,
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
>(declared: Declaration<P, Q, B, A>): Operation<P, Q, B, A> {
  const empty = { params: nothing, query: nothing, body: nothing } as unknown as { params: P; query: Q; body: B };
  return { guards: ['token'], errors: [], ...empty, ...declared };
}
