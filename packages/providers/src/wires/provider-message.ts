import { stripVTControlCharacters } from 'node:util';

/** Maximum characters of a provider's message in a failure. */
export const MAX_PROVIDER_MESSAGE = 2_000;
const MASK = '[redacted]';
const MAX_DEPTH = 4;

/** Fields in which vendors send the message, in order of preference. */
const FIELDS = ['message', 'error', 'detail', 'details', 'errors', 'msg', 'error_description', 'title'] as const;

/** Keys in the formats of vendors, also partly masked by asterisks; tokens; what follows `Bearer`. */
const KEY_SHAPES = [
  /\b(?:sk|pk|rk|gsk|hf|r8|xai|pplx|nvapi|csk|tgp|fw)[-_][\w*.-]{6,}/g,
  /\bAIza[\w*-]{10,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/g,
];
const BEARER = /\b(bearer|basic)\s+[\w~+/.=*-]{6,}/gi;
const ADDRESS_USER = /\b([a-z][a-z\d+.-]*:\/\/)[^\s/?#@"'<>]+@/gi;
const ADDRESS_SECRET = /([?&](?:[\w-]*(?:key|token|secret|password|signature)|sig|code|auth)=)[^\s&#"'<>]+/gi;

/**
 * The provider's own message about a failure, safe to show: one line, without keys, addresses with credentials and
 * control characters, at most MAX_PROVIDER_MESSAGE characters. Undefined when there is none.
 * @param said the text of an error body, or an error object found in a stream
 * @param secrets what was sent and may be echoed
 */
export function providerMessage(said: unknown, secrets: readonly string[] = []): string | undefined {
  const text = typeof said === 'string' ? sentenceInBody(said) : sentenceIn(said, 0);
  if (text === undefined) return undefined;
  const line = oneLine(redacted(wellFormed(text), secrets));
  return line === '' ? undefined : shortened(line);
}

function sentenceInBody(body: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return sentenceIn(value, 0) ?? (/:\s*"[^"]/.test(body) ? body : undefined);
  } catch {
    // Not JSON, or only its beginning.
    return quotedMessage(body) ?? (/<html|<!doctype/i.test(body) ? pageTitle(body) : body);
  }
}

function sentenceIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return undefined;
  if (Array.isArray(value)) {
    const sentences = value.slice(0, 10).map((item) => sentenceIn(item, depth + 1));
    return sentences.filter((sentence) => sentence !== undefined).join(' ') || undefined;
  }
  const record = value as Record<string, unknown>;
  for (const field of FIELDS) {
    const sentence = sentenceIn(record[field], depth + 1);
    if (sentence !== undefined) return withInner(sentence, record);
  }
  return undefined;
}

/** The aggregator puts the vendor's message into `metadata.raw`. */
function withInner(sentence: string, { metadata }: Record<string, unknown>): string {
  const raw = (metadata as { raw?: unknown } | null | undefined)?.raw;
  if (raw === undefined || raw === null) return sentence;
  const inner = typeof raw === 'string' ? sentenceInBody(raw) : sentenceIn(raw, 1);
  return inner ? `${sentence}: ${inner}` : sentence;
}

function quotedMessage(body: string): string | undefined {
  const quoted = /"message"\s*:\s*"((?:[^"\\]|\\.)+)/.exec(body)?.[1];
  return quoted?.replaceAll(/\\(?:u[\da-f]{4}|.)/gi, (escape) => {
    try {
      return JSON.parse(`"${escape}"`) as string;
    } catch {
      return ' '; // Not a JSON escape.
    }
  });
}

function pageTitle(page: string): string | undefined {
  return /<(title|h1)[^>]*>([^<]{1,500})/i.exec(page)?.[2];
}

function redacted(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const form of secrets.flatMap(formsOf)) clean = clean.replaceAll(form, MASK);
  for (const shape of KEY_SHAPES) clean = clean.replaceAll(shape, MASK);
  return clean
    .replaceAll(BEARER, `$1 ${MASK}`)
    .replaceAll(ADDRESS_USER, `$1${MASK}@`)
    .replaceAll(ADDRESS_SECRET, `$1${MASK}`);
}

function formsOf(key: string): string[] {
  if (key.length < 4) return [];
  return [key, encodeURIComponent(wellFormed(key)), Buffer.from(key).toString('base64').replace(/=+$/, '')];
}

/** Removes what could move a cursor, break a line or change the text direction. */
function oneLine(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]+/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
}

function shortened(line: string): string {
  if (line.length <= MAX_PROVIDER_MESSAGE) return line;
  return `${line.slice(0, MAX_PROVIDER_MESSAGE - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A lone surrogate becomes U+FFFD. */
const wellFormed = (text: string): string => Buffer.from(text).toString();
