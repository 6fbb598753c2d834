/** What a removed text was: a key of the labels, `share.secret.<kind>`. */
export const SECRET_KINDS = ['private-key', 'token', 'password', 'address'] as const;
export type SecretKind = (typeof SECRET_KINDS)[number];

interface SecretPattern {
  kind: SecretKind;
  /** With one group: only the group is removed. */
  pattern: RegExp;
}

/** Tokens have fixed beginnings; other secrets are known by the name in front of them. */
const PATTERNS: readonly SecretPattern[] = [
  {
    kind: 'private-key',
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  {
    kind: 'token',
    pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|npm_[A-Za-z0-9]{30,})/g,
  },
  { kind: 'token', pattern: /\b(?:sk|rk|pk)[-_](?:[a-z]+[-_])*[A-Za-z0-9_-]{16,}/g },
  { kind: 'token', pattern: /\bxox[abeoprs]-[\w-]{10,}/g },
  { kind: 'token', pattern: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g },
  { kind: 'token', pattern: /\bAIza[\w-]{30,}/g },
  { kind: 'token', pattern: /\bhf_[A-Za-z0-9]{20,}/g },
  { kind: 'token', pattern: /\bey[JK][\w-]{10,}\.ey[JK][\w-]{10,}\.[\w-]*/g },
  { kind: 'token', pattern: /\b[Bb]earer\s+([\w.~+/-]{12,}=*)/g },
  { kind: 'address', pattern: /\b[a-z][a-z0-9+.-]*:\/\/([^\s/@:'"]*:[^\s/@'"]+)@/gi },
  {
    kind: 'password',
    pattern:
      /(?:pass(?:word|wd|phrase)?|pwd|secret|api[-_]?key|access[-_]?key|auth[-_]?token|token|credentials?)["']?\s*(?:=>|[:=])\s*["']?([^\s"',;)}\]]{6,})/gi,
  },
];

/** Code that names a secret but does not contain one. */
const IS_CODE = /^(?:process\.env|os\.environ|env\.|\$\{?|<|\{\{|null\b|undefined\b|true\b|false\b|\*+$|\[)|[()]/;

export interface RemovedSecret {
  kind: SecretKind;
  /** The beginning of the removed text, so that a user can recognize it. */
  hint: string;
  count: number;
}

export interface SecretFilter {
  /** The text with a mark in the place of each secret. */
  clean(text: string): string;
  /** What was removed so far, each different text once. */
  removed(): readonly RemovedSecret[];
}

/** The type of a parameter or field, without quotes. */
const IS_TYPE = /:\s*[A-Za-z_.<>[\]|]+$/;

const HINT_CHARS = 4;

/** `mark` is what stands in the place of a secret. */
export function createSecretFilter(mark: (kind: SecretKind) => string): SecretFilter {
  const found = new Map<string, RemovedSecret>();
  const note = (kind: SecretKind, text: string): void => {
    const known = found.get(text);
    const hint = `${text.slice(0, HINT_CHARS)}…`;
    found.set(text, known ? { ...known, count: known.count + 1 } : { kind, hint, count: 1 });
  };
  return {
    clean: (text) =>
      PATTERNS.reduce(
        (left, { kind, pattern }) =>
          left.replaceAll(pattern, (whole: string, group: unknown) => {
            const secret = typeof group === 'string' ? group : whole;
            const isCode = IS_CODE.test(secret) || IS_TYPE.test(whole);
            if (kind === 'password' && (isCode || secret === mark(kind))) return whole;
            note(kind, secret);
            // The last occurrence: the name in front may repeat the beginning of its value.
            const at = whole.lastIndexOf(secret);
            return whole.slice(0, at) + mark(kind) + whole.slice(at + secret.length);
          }),
        text,
      ),
    removed: () => [...found.values()],
  };
}
