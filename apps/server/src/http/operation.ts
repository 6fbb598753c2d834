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

/** What a handler gets: decoded input, the services, and nothing of HTTP. */
export interface OperationInput<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  services: Services;
  /** Aborts when the client goes away. */
  signal: AbortSignal;
  /** Streams only: the last sequence the client says it saw. */
  resumeAfter: number | undefined;
  /** The headers the operation declares, percent-decoded; absent ones are undefined. */
  asked: Readonly<Record<string, string | undefined>>;
  /** What the caller reads, for answers that hold words. */
  language: Language;
  /** The address by which the caller reached this server, without a path. */
  origin: string;
  /** For the scripts and styles of one page, a new one each time it is asked. */
  nonce(): string;
  /** Runs once the answer has left. */
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
  /** Besides the six common ones and the gateway's own two. */
  errors: readonly ErrorCode[];
  guards: readonly Guard[];
  /** Makes room by removing something: tried again with the disk's reserve freed when the disk is full. */
  makesRoom?: true;
  /** Bytes, where it differs from the server's general limit. */
  bodyLimit?: number;
  /** Request headers it reads, by lower-case name; their text is percent-encoded. A value that does not fit is QUERY_INVALID. */
  requestHeaders?: Readonly<Record<string, z.ZodType<string>>>;
  /** Those of them without which the operation answers an error of its own. */
  requiredHeaders?: readonly string[];
  /** Answer headers that differ from those of every answer. */
  headers?: Readonly<Record<string, string>>;
  /** Where what was made can be read, below the interface's address; sent as Location. */
  location?(made: AnswerValue<Result>, params: z.output<Params>): string;
  /** Headers that follow from what was answered. */
  headersOf?(answered: AnswerValue<Result>): Readonly<Record<string, string>>;
  /** Top-level body field → the code of a bad value, where it is not QUERY_INVALID. */
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

/** Declares an operation once; routing, guards, schemas, HEAD, limits, envelope and OpenAPI are derived from it. */
export function operation<
  A extends Answer,
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = Nothing,
>(declared: Declaration<P, Q, B, A>): Operation<P, Q, B, A> {
  const empty = { params: nothing, query: nothing, body: nothing } as unknown as { params: P; query: Q; body: B };
  return { guards: ['token'], errors: [], ...empty, ...declared };
}
