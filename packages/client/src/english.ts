import { addresses } from '#addresses';
import * as first from '#first-names';
import type * as tables from '#names';
import { fromWire, toWire } from '#rename';

/** An operation as the wire has it. Names and values of the wire become English here, and nowhere else. */
export interface Operation {
  /** Without `/api/v1`. */
  path: string;
  /** A query parameter on the wire. */
  queryToWire(name: string, value: string): [name: string, value: string];
  bodyToWire(body: unknown): Promise<unknown>;
  /** Of the `data` of the envelope. */
  answerFromWire(data: unknown): Promise<unknown>;
  /** Of the data of one frame of a stream. */
  frameFromWire(data: unknown): Promise<unknown>;
}

/** The operation of a method and an English path. */
export function operationOf(method: string, path: string): Operation {
  const key = `${method} ${path}`;
  return {
    path: addresses.paths[path] ?? path,
    queryToWire(name, value) {
      const named = addresses.queries.filter(([english]) => english === name);
      const [, wire = name] =
        named.find(([, , operations]) => operations?.includes(key)) ?? named.find(([, , all]) => !all) ?? [];
      return [wire, addresses.values[name]?.[value] ?? value];
    },
    async bodyToWire(body) {
      if (body === undefined) return undefined;
      const { places: all, operations } = await tableOf(key);
      const place = operations[key]?.body;
      return place === undefined ? body : toWire(all, place, body);
    },
    answerFromWire: (data) => read(key, 'answer', data),
    frameFromWire: (data) => read(key, 'frame', data),
  };
}

/** Reads the part of an answer whose place the tables have. */
async function read(key: string, part: 'answer' | 'frame', data: unknown): Promise<unknown> {
  const { places: all, operations } = await tableOf(key);
  const place = operations[key]?.[part];
  return place === undefined ? data : fromWire(all, place, data);
}

let loaded: Promise<typeof tables> | undefined;

/** The table of an operation: that of most is too large for what a page loads before it shows anything. */
async function tableOf(key: string): Promise<typeof tables> {
  if (Object.hasOwn(first.operations, key)) return first;
  loaded ??= import('#names').catch((cause: unknown) => {
    // A page whose server is away tries again at the next request.
    loaded = undefined;
    throw cause;
  });
  return loaded;
}
