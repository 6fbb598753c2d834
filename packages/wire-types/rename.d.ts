import type { Place } from './names.js';

/** The English form of a value from the wire, whose place is `id` in `places`. Unknown names and values stay. */
export declare function fromWire(places: readonly Place[], id: number, value: unknown): unknown;
/** The form on the wire of an English value, whose place is `id` in `places`. Unknown names and values stay. */
export declare function toWire(places: readonly Place[], id: number, value: unknown): unknown;
