import type { AppError } from '@fucina/shared';
import type { Language, Sentences } from '@fucina/shared/sentences';

const SCHEMA = 'svc.harness-ui.api.v1';

interface Meta {
  schema: typeof SCHEMA;
  generatedAt: string;
  sourceHash?: string;
}

function meta(now: number): Meta {
  return { schema: SCHEMA, generatedAt: new Date(now).toISOString() };
}

export function successBody(data: unknown, now: number): string {
  const { sourceHash } = (data ?? {}) as { sourceHash?: unknown };
  const about = typeof sourceHash === 'string' ? { ...meta(now), sourceHash } : meta(now);
  return JSON.stringify({ ok: true, data, meta: about });
}

/** The same envelope around encoded rows, each after a comma, with the further fields. */
export function rowsBody(
  { name, blocks, rest }: { name: string; blocks: readonly Buffer[] | null; rest?: object },
  now: number,
): Buffer[] {
  const [first, ...others] = blocks ?? [];
  const [open, close] = blocks ? ['[', ']'] : ['null', ''];
  const beside = rest === undefined ? '' : JSON.stringify(rest).slice(1, -1);
  return [
    Buffer.from(`{"ok":true,"data":{"${name}":${open}`),
    ...(first ? [first.subarray(1), ...others] : []),
    Buffer.from(`${close}${beside && `,${beside}`}},"meta":${JSON.stringify(meta(now))}}`),
  ];
}

export interface Failure {
  error: AppError;
  doctorReference: string;
  sentences: Sentences;
}

const ABSOLUTE_PATH = /^([A-Za-z]:|\\\\|\/)/;

/** Params that are absolute paths are removed: an error never reveals where a folder is. */
export function errorBody({ error, doctorReference, sentences }: Failure, now: number): string {
  const { code, reason, params } = error;
  const shown = Object.entries(params ?? {}).filter(
    ([, value]) => typeof value !== 'string' || !ABSOLUTE_PATH.test(value),
  );
  return JSON.stringify({
    ok: false,
    error: {
      code,
      ...sentences,
      doctorReference,
      ...(reason && { reason }),
      ...(shown.length && { params: Object.fromEntries(shown) }),
    },
    meta: meta(now),
  });
}

/** Italian unless the request prefers English. */
export function languageOf(acceptLanguage: string | undefined): Language {
  const preferences = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.find((parameter) => parameter.trim().startsWith('q='));
      return { tag: tag.split('-')[0], weight: quality ? Number(quality.trim().slice(2)) : 1 };
    })
    .filter(({ tag, weight }) => (tag === 'it' || tag === 'en') && weight > 0)
    .sort((a, b) => b.weight - a.weight);
  return preferences[0]?.tag === 'en' ? 'en' : 'it';
}
