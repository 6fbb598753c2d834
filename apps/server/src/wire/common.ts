import * as z from 'zod';

/** Ids are opaque to clients: any short text is looked up, and what is not there is NOT_FOUND. */
export const sessionId = z.string().min(1).max(200);
export const sessionParams = z.strictObject({ sessionId });
export const text = z.string().min(1);
/** Words for the agent or the shell: at least one character that is not white space. */
export const prose = z.string().regex(/\S/);
export const iso = (ms: number): string => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));
/** A moment: ISO 8601 outside, milliseconds since the epoch inside. */
export const instant = z.codec(z.string(), z.number(), { decode: Date.parse, encode: iso });
export const ok = z.object({ ok: z.literal(true) });

/** Digits only: coercion would accept `1e1`, blanks and lists. */
export const wholeNumber = z.codec(z.string().regex(/^\d{1,15}$/), z.number().int(), {
  decode: (digits) => Number(digits),
  encode: (value) => String(value),
});
