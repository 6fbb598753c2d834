import type { Ambient } from '@fucina/shared';

/** Page tokens of lists, bound to the filters of the request. */
export interface ItemPages {
  next(place: { filters: string; from: number }): string;
  /** Undefined for an unknown or expired token, or one with other filters. */
  resolve(token: string, filters: string): number | undefined;
}

const MOST_TOKENS = 128;
const TOKEN_BYTES = 9;

export function createItemPages({ ambient }: { ambient: Ambient }): ItemPages {
  const tokens = new Map<string, { filters: string; from: number }>();
  return {
    next(place) {
      const token = ambient.randomBytes(TOKEN_BYTES).toString('base64url');
      tokens.set(token, place);
      for (const oldest of [...tokens.keys()].slice(0, -MOST_TOKENS)) tokens.delete(oldest);
      return token;
    },
    resolve(token, filters) {
      const place = tokens.get(token);
      return place?.filters === filters ? place.from : undefined;
    },
  };
}
