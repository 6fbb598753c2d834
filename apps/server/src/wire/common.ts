import * as z from 'zod';

/** Ids are opaque: any short text is looked up, and an unknown one is NOT_FOUND. */
export const sessionId = z.string().min(1).max(200);
export const sessionParams = z.strictObject({ sessionId });
export const text = z.string().min(1);
/** Text for the agent or the shell: at least one non-whitespace character. */
export const prose = z.string().regex(/\S/);
export const iso = (ms: number): string => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));
/** A time: ISO 8601 on the wire, milliseconds since the epoch internally. */
export const instant = z.codec(z.string(), z.number(), { decode: Date.parse, encode: iso });
export const ok = z.object({ ok: z.literal(true) });

/** Digits only: coercion would accept `1e1`, spaces and lists. */
export const wholeNumber = z.codec(z.string().regex(/^\d{1,15}$/), z.number().int(), {
  decode: (digits) => Number(digits),
  encode: (value) => String(value),
});
