import type { Readable } from 'node:stream';
import type * as z from 'zod';
import type { Page } from './page.ts';
import { createRowBlocks, type RowBlocks } from './row-blocks.ts';

/** The kinds of answer an operation can declare. */
export type Answer =
  | JsonAnswer
  | ViewAnswer
  | ItemsAnswer
  | ListAnswer
  | BytesAnswer
  | MaybeBytesAnswer
  | FormsAnswer
  | PageAnswer
  | StreamAnswer;

export interface JsonAnswer<Schema extends z.ZodType = z.ZodType> {
  kind: 'json';
  status: number;
  schema: Schema;
}

/** A record a caller may hold: named by an ETag, and answered 304 to whoever has these very facts. */
export interface ViewAnswer<Schema extends z.ZodType = z.ZodType> {
  kind: 'view';
  status: 200;
  schema: Schema;
}

/**
 * With the time of the last fact (ms) the whole answer is the same for the same facts, and its ETag is strong. Without
 * it the ETag is weak and names the data alone.
 */
export interface View<Value> {
  record: Value;
  factsAt?: number;
}

/** `{ items: [...] }`, each item encoded once for as long as the service answers the same object for it. */
export interface ItemsAnswer<Schema extends z.ZodType = z.ZodType> {
  kind: 'items';
  status: 200;
  schema: Schema;
  blocks: RowBlocks;
}

/** A long list under a name of its own, each row encoded once as items are, and what stands beside it. */
export interface ListAnswer<
  Row extends z.ZodType = z.ZodType,
  Rest extends z.ZodObject = z.ZodObject,
  IsNullable extends boolean = boolean,
> {
  kind: 'list';
  status: 200;
  name: string;
  row: Row;
  /** Whether the interface says null for a list that cannot be read. */
  isNullable: IsNullable;
  rest: Rest;
  blocks: RowBlocks;
}

/** Raw bytes, under a content policy of their own: nothing in them may run, unless the operation's headers say more. */
export interface BytesAnswer {
  kind: 'bytes';
  status: 200;
  /** What the description says; the value may name its own. */
  mediaType: string;
}

/** As bytes, where there may be none: undefined is answered 204. */
export interface MaybeBytesAnswer {
  kind: 'maybe-bytes';
  status: 200;
  mediaType: string;
}

export interface Bytes {
  sizeBytes: number;
  /** A stream is read whole, or destroyed when nobody takes it. */
  content: Readable | Uint8Array;
  /** The name under which a browser keeps it; the answer is then an attachment. */
  name?: string;
  mediaType?: string;
  headers?: Readonly<Record<string, string>>;
  /** Its own policy says who may frame it, and X-Frame-Options is left out. */
  isFramed?: boolean;
  /** Of bytes that can be asked for in parts. */
  whole?: Whole;
}

export interface Whole {
  sizeBytes: number;
  /** Names these very bytes. */
  version?: string;
  /** What `content` holds of it; `beyond`: nothing, since it ends before. Absent: all. */
  part?: { first: number; last: number } | 'beyond';
}

/** A record, or the bytes it is about, as the caller asked. */
export interface FormsAnswer<Schema extends z.ZodType = z.ZodType> {
  kind: 'forms';
  status: 200;
  schema: Schema;
  mediaType: string;
}

export type Form<Value> = { record: Value } | { bytes: Bytes };

/** A page with a few words for a user, who sees it in the browser; its errors are pages too. */
export interface PageAnswer {
  kind: 'page';
  status: 200;
}

export interface StreamAnswer<Schema extends z.ZodType = z.ZodType> {
  kind: 'stream';
  status: 200;
  /** One event as a client sees it. */
  schema: Schema;
  /** The comments that open it and keep it alive, where they are not the usual ones. */
  comments: StreamComments;
}

export interface StreamComments {
  opening?: string;
  keepAlive: string;
}

export const USUAL_COMMENTS: StreamComments = { keepAlive: ' keep-alive' };

/** One frame of a stream; `id` only where a client may resume from it. Already encoded. */
export interface Frame {
  id?: number;
  /** Absent: a plain message. */
  event?: string;
  json: string;
}

export type AnswerValue<A extends Answer> =
  A extends JsonAnswer<infer S>
    ? z.output<S>
    : A extends ViewAnswer<infer S>
      ? View<z.output<S>>
      : A extends ItemsAnswer<infer S>
        ? readonly z.output<S>[]
        : A extends ListAnswer<infer Row, infer Rest, infer IsNullable>
          ? { rows: readonly z.output<Row>[] | (IsNullable extends true ? null : never); rest: z.output<Rest> }
          : A extends BytesAnswer
            ? Bytes
            : A extends MaybeBytesAnswer
              ? Bytes | undefined
              : A extends FormsAnswer<infer S>
                ? Form<z.output<S>>
                : A extends PageAnswer
                  ? Page
                  : A extends StreamAnswer
                    ? AsyncIterable<readonly Frame[]> | undefined
                    : never;

export function json<Schema extends z.ZodType>(schema: Schema, status = 200): JsonAnswer<Schema> {
  return { kind: 'json', status, schema };
}

export function view<Schema extends z.ZodType>(schema: Schema): ViewAnswer<Schema> {
  return { kind: 'view', status: 200, schema };
}

/** The value undefined is answered 204: there is nothing to follow any more. */
export function stream<Schema extends z.ZodType>(
  schema: Schema,
  comments: StreamComments = USUAL_COMMENTS,
): StreamAnswer<Schema> {
  return { kind: 'stream', status: 200, schema, comments };
}

export function page(): PageAnswer {
  return { kind: 'page', status: 200 };
}

export function bytes(mediaType: string): BytesAnswer {
  return { kind: 'bytes', status: 200, mediaType };
}

export function maybeBytes(mediaType: string): MaybeBytesAnswer {
  return { kind: 'maybe-bytes', status: 200, mediaType };
}

export function forms<Schema extends z.ZodType>(schema: Schema, mediaType: string): FormsAnswer<Schema> {
  return { kind: 'forms', status: 200, schema, mediaType };
}

const listAnswer =
  <IsNullable extends boolean>(isNullable: IsNullable) =>
  <Row extends z.ZodType, Rest extends z.ZodObject>(
    name: string,
    row: Row,
    rest: Rest,
  ): ListAnswer<Row, Rest, IsNullable> => ({
    kind: 'list',
    status: 200,
    name,
    row,
    isNullable,
    rest,
    blocks: createRowBlocks(row),
  });

/** As `items`, where the interface gives the list a name and puts something beside it. */
export const list = listAnswer(false);

/** As `list`; null, never empty, for a list that cannot be read. */
export const nullableList = listAnswer(true);

/** For long lists of records that seldom change. The service must answer a new object for a record that changed. */
export function items<Schema extends z.ZodType>(schema: Schema): ItemsAnswer<Schema> {
  return { kind: 'items', status: 200, schema, blocks: createRowBlocks(schema) };
}
