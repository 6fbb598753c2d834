/** Texts of files that sessions have read or written, by the SHA-256 of their bytes; the newest, up to a limit. */
export interface SeenTexts {
  get(sha256: string): string | undefined;
  set(sha256: string, text: string): void;
}

const MAX_CHARS = 8 * 1024 * 1024;

export function createSeenTexts(maxChars = MAX_CHARS): SeenTexts {
  const texts = new Map<string, string>();
  let chars = 0;
  return {
    get: (sha256) => texts.get(sha256),
    set(sha256, text) {
      chars += text.length - (texts.get(sha256)?.length ?? 0);
      texts.delete(sha256);
      texts.set(sha256, text);
      for (const [oldest, { length }] of texts) {
        if (chars <= maxChars) return;
        texts.delete(oldest);
        chars -= length;
      }
    },
  };
}
