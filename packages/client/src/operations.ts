import type { components, paths } from '#api';

/** The named schemas of openapi.json. */
export type Schemas = components['schemas'];
/** An event of a session, distinguished by `type`, and CUSTOM events by `name`. New types may be added. */
export type SessionEvent = Schemas['SessionEvent'];

export type Method = 'get' | 'post' | 'patch' | 'delete';
export type BinaryBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer>;

/** Of the address of every operation. */
export const PREFIX = '/api/v1';
type Prefix = typeof PREFIX;

type OperationAt<M extends Method, Path extends string> = `${Prefix}${Path}` extends infer Full extends keyof paths
  ? NonNullable<paths[Full][M]>
  : never;

/** The paths, without `/api/v1`, that have an operation with this method. */
export type OperationPath<M extends Method> = {
  [Full in keyof paths]: [NonNullable<paths[Full][M]>] extends [never]
    ? never
    : Full extends `${Prefix}${infer Path}`
      ? Path
      : never;
}[keyof paths];

type SuccessStatus = 200 | 201 | 202 | 204;
type Contents<Operation> = Operation extends { responses: infer Responses }
  ? {
      [Status in keyof Responses]: Status extends SuccessStatus
        ? Responses[Status] extends { content: infer Content }
          ? Content
          : undefined
        : never;
    }[keyof Responses]
  : never;
type MediaTypes<Content> = Content extends unknown ? keyof Content : never;
type IsJson<Operation> = [Contents<Operation>] extends [object]
  ? 'application/json' extends MediaTypes<Contents<Operation>>
    ? true
    : false
  : false;

/** The paths of the operations that answer JSON, at least unless a parameter asks for something else. */
export type JsonPath<M extends Method> = {
  [Path in OperationPath<M>]: IsJson<OperationAt<M, Path>> extends true ? Path : never;
}[OperationPath<M>];

/** The `data` of the answer. */
export type Answer<M extends Method, Path extends string> =
  Contents<OperationAt<M, Path>> extends { 'application/json': { data: infer Data } } ? Data : never;

/** The data of one frame of a stream. */
export type Frame<Path extends string> =
  Contents<OperationAt<'get', Path>> extends { 'text/event-stream': infer Data } ? Data : never;

/** The field `Key` of `From`, under the name `As`: absent, optional or required as it is there. */
type Field<From, Key extends string, As extends string> = From extends { [K in Key]: infer Value }
  ? { [K in As]: Value }
  : From extends { [K in Key]?: infer Value }
    ? [NonNullable<Value>] extends [never]
      ? unknown
      : { [K in As]?: NonNullable<Value> }
    : unknown;

type Inputs<Operation> = Operation extends { parameters: infer Parameters }
  ? Field<Parameters, 'path', 'path'> & Field<Parameters, 'query', 'query'> & Field<Parameters, 'header', 'headers'>
  : never;
type Json<Body> = Body extends { content: { 'application/json': infer Value } } ? Value : BinaryBody;
type Body<Operation> = Operation extends { requestBody: infer Value }
  ? { body: Json<Value> }
  : Operation extends { requestBody?: infer Value }
    ? [NonNullable<Value>] extends [never]
      ? unknown
      : { body?: Json<NonNullable<Value>> }
    : unknown;

/** What an operation takes: `path`, `query`, `headers` and `body`, each where it has one, and a signal. */
export type OperationOptions<M extends Method, Path extends string> = Inputs<OperationAt<M, Path>> &
  Body<OperationAt<M, Path>> & { signal?: AbortSignal };

type AddressOptions<M extends Method, Path extends string> = Pick<
  OperationOptions<M, Path>,
  keyof OperationOptions<M, Path> & ('path' | 'query')
>;

/** Rest arguments of an address: `path` and `query`, each where the operation has one. */
export type AddressArguments<M extends Method, Path extends string> =
  Record<never, never> extends AddressOptions<M, Path>
    ? [options?: AddressOptions<M, Path>]
    : [options: AddressOptions<M, Path>];

/** Rest arguments: the options may be left out where nothing in them is required. */
export type OptionsArguments<M extends Method, Path extends string> =
  Record<never, never> extends OperationOptions<M, Path>
    ? [options?: OperationOptions<M, Path>]
    : [options: OperationOptions<M, Path>];
