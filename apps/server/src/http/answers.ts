import type { Readable } from 'node:stream';
import * as z from 'zod';
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

/** A cacheable record: it has an ETag, and a client with the same version gets 304. */
export interface ViewAnswer<Schema extends z.ZodType = z.ZodType> {
  kind: 'view';
  status: 200;
  schema: Schema;
}

/**
 * With the time of the last fact (ms), equal facts give equal bytes, and the ETag is strong. Without it the ETag is
 * weak and covers only the data.
 */
export interface View<Value> {
  record: Value;
  factsAt?: number;
}

/** `{ items: [...] }`; each item is encoded once while the service returns the same object for it. */
export interface ItemsAnswer<Schema extends z.ZodType = z.ZodType> {
  kind: 'items';
  status: 200;
  schema: Schema;
  blocks: RowBlocks;
}

/** A long list under its own name, each row encoded once like items, with further fields beside it. */
export interface ListAnswer<
  Rows extends z.ZodType = z.ZodType,
  Rest extends z.ZodType = z.ZodType,
  IsNullable extends boolean = boolean,
> {
  kind: 'list';
  status: 200;
  name: string;
  rows: Rows;
  rest: Rest;
  /** Of the whole record. */
  schema: z.ZodType;
  /** Whether the interface returns null for an unreadable list. */
  isNullable: IsNullable;
  blocks: RowBlocks;
}

/** Raw bytes with a strict content policy: nothing in them may run, unless the operation's headers allow more. */
export interface BytesAnswer {
  kind: 'bytes';
  status: 200;
  /** The declared media type; the value may name its own. */
  mediaType: string;
}

/** Optional bytes: undefined is answered with 204. */
export interface MaybeBytesAnswer {
  kind: 'maybe-bytes';
  status: 200;
  mediaType: string;
}

export interface Bytes {
  sizeBytes: number;
  /** A stream is read to its end, or destroyed if unused. */
  content: Readable | Uint8Array;
  /** The file name of a download; the answer is then an attachment. */
  name?: string;
  mediaType?: string;
  headers?: Readonly<Record<string, string>>;
  /** Its own policy decides who may frame it, and X-Frame-Options is left out. */
  isFramed?: boolean;
  /** For bytes that support ranges. */
  whole?: Whole;
}

export interface Whole {
  sizeBytes: number;
  /** A strong ETag of these bytes. */
  version?: string;
  /** The range in `content`; `beyond`: empty, because the file ends before it. Absent: all. */
  part?: { first: number; last: number } | 'beyond';
}

/** A record, or its bytes, depending on the request. */
export interface FormsAnswer<Schema extends z.ZodType = z.ZodType> {
  kind: 'forms';
  status: 200;
  schema: Schema;
  mediaType: string;
}

export type Form<Value> = { record: Value } | { bytes: Bytes };

/** A short page for the user in the browser; its errors are pages too. */
export interface PageAnswer {
  kind: 'page';
  status: 200;
}

export interface StreamAnswer<Schema extends z.ZodType = z.ZodType> {
  kind: 'stream';
  status: 200;
  /** One event in the client's format. */
  schema: Schema;
  /** Its opening and keep-alive comments, if not the usual ones. */
  comments: StreamComments;
}

export interface StreamComments {
  opening?: string;
  keepAlive: string;
}

export const USUAL_COMMENTS: StreamComments = { keepAlive: ' keep-alive' };

/** One encoded frame of a stream; `id` only if a client may resume from it. */
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
        : A extends ListAnswer<infer Rows, infer Rest, infer IsNullable>
          ? { rows: Readonly<z.output<Rows>> | (IsNullable extends true ? null : never); rest: z.output<Rest> }
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

/** The value undefined is answered with 204: there is nothing more to follow. */
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
  ): ListAnswer<z.ZodArray<Row>, Rest, IsNullable> => {
    const rows = z.array(row);
    const schema = z.object({ [name]: isNullable ? rows.nullable() : rows, ...rest.shape });
    return { kind: 'list', status: 200, name, rows, rest, schema, isNullable, blocks: createRowBlocks(rows) };
  };

/** Like `items`, but with the interface's own name for the list and further fields. */
export const list = listAnswer(false);

/** Like `list`; null, never empty, for an unreadable list. */
export const nullableList = listAnswer(true);

/** Like `list`, for a record that has a schema of its own: `rows` is the codec of its list, `rest` that of the others. */
export function longList<Rows extends z.ZodType, Rest extends z.ZodType>(
  name: string,
  { rows, rest, schema }: { rows: Rows; rest: Rest; schema: z.ZodType },
): ListAnswer<Rows, Rest, false> {
  return { kind: 'list', status: 200, name, rows, rest, schema, isNullable: false, blocks: createRowBlocks(rows) };
}

/** For long lists of records that seldom change. The service must return a new object for a changed record. */
export function items<Schema extends z.ZodType>(schema: Schema): ItemsAnswer<Schema> {
  return { kind: 'items', status: 200, schema, blocks: createRowBlocks(z.array(schema)) };
}
