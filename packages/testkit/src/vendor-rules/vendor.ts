import { isDeepStrictEqual } from 'node:util';
import type { Script } from '../model-server.ts';
import type { Reply } from '../reply.ts';

export type Json = Record<string, unknown>;

/** A part of a scripted answer, in the order of sending; its vendor adds signatures, ids and fields of its own. */
export type VendorPart =
  | { reasoning: string; isRedacted?: boolean }
  | { text: string }
  | { call: { name: string; arguments: Json } };

/** One vendor's form of answers, and what it wants back in later requests. */
export interface Vendor {
  /** The frames of a streamed answer. */
  frames(parts: readonly VendorPart[], answer: number): string;
  /** The answer as later requests must give it back. */
  givenBack(parts: readonly VendorPart[], answer: number): unknown;
  /** What the request gives back, answer by answer. */
  answersIn(body: Json): unknown[];
  /** Why the vendor refuses the request, apart from what it wants back. */
  refusal?(body: Json): string | undefined;
  /** The name of an answer: the same for what was sent and what came back. Undefined for another vendor's. */
  nameOf(answer: unknown): string | undefined;
  /** What is demanded of answers that other models gave. */
  foreign?(answer: unknown): string | undefined;
}

/** A scripted vendor that refuses what its published rules refuse: with 400, as it does itself. */
export interface VendorServer {
  script: Script;
  /** Why requests were refused. */
  readonly refusals: readonly string[];
  /** How many answers of its own the last request gave back. */
  returned(): number;
}

/** Plays the answers in order, then `ok`. */
export function createVendorServer(vendor: Vendor, answers: readonly (readonly VendorPart[])[]): VendorServer {
  const refusals: string[] = [];
  const sent = new Map<string, unknown>();
  let next = 0;
  let returned = 0;
  const check = (body: Json): string | undefined => {
    const back = vendor.answersIn(body);
    returned = back.filter((answer) => sent.has(vendor.nameOf(answer) ?? '')).length;
    for (const answer of back) {
      const expected = sent.get(vendor.nameOf(answer) ?? '');
      if (expected === undefined) {
        const refusal = vendor.foreign?.(answer);
        if (refusal) return refusal;
      } else if (!isDeepStrictEqual(answer, expected)) {
        return `reasoning was changed: expected ${JSON.stringify(expected)}, got ${JSON.stringify(answer)}`;
      }
    }
    return vendor.refusal?.(body);
  };
  const reply = (body: Json): Reply => {
    const refusal = check(body);
    if (refusal !== undefined) {
      refusals.push(refusal);
      return { fault: { kind: 'status', status: 400, message: refusal } };
    }
    const parts = answers[next] ?? [{ text: 'ok' }];
    next += 1;
    const back = vendor.givenBack(parts, next);
    const name = vendor.nameOf(back);
    if (name !== undefined) sent.set(name, back);
    return { raw: vendor.frames(parts, next) };
  };
  return { script: ({ body }) => reply(body), refusals, returned: () => returned };
}

export const frames = (events: readonly Json[]): string =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
export const namedFrames = (events: readonly (Json & { type: string })[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

/** Without the fields that mark a cache. */
export function unmarked(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner)));
}
