const MAX_WAIT_MS = 86_400_000;
const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The requested wait from any of the headers in use, in ms; null when there is none. */
export function waitAsked(headers: Record<string, string>, now: number): number | null {
  const direct = headers['retry-after-ms']
    ? Number(headers['retry-after-ms'])
    : retryAfter(headers['retry-after'], now);
  const wait = direct ?? resets(headers, now);
  return wait !== null && Number.isFinite(wait) ? Math.min(Math.max(0, Math.round(wait)), MAX_WAIT_MS) : null;
}

function retryAfter(value: string | undefined, now: number): number | null {
  if (value === undefined) return null;
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : date - now;
}

/** Only exhausted limits count; if none is stated, any named reset does. */
function resets(headers: Record<string, string>, now: number): number | null {
  const waits = Object.entries(headers).flatMap(([name, value]) => {
    const limit = /^(?:x-ratelimit-reset(.*)|anthropic-ratelimit-(.+)-reset)$/.exec(name);
    if (!limit) return [];
    const left =
      headers[limit[2] ? `anthropic-ratelimit-${limit[2]}-remaining` : `x-ratelimit-remaining${limit[1] ?? ''}`];
    const wait = resetWait(value, now);
    return wait === null || (left !== undefined && Number(left) > 0) ? [] : [wait];
  });
  return waits.length > 0 ? Math.max(...waits) : null;
}

/** `6m0s`, seconds, an epoch in seconds or ms, or a date. */
function resetWait(value: string, now: number): number | null {
  const text = value.trim();
  if (/^\d+(\.\d+)?$/.test(text)) {
    const number = Number(text);
    if (number > 1e12) return number - now;
    return number > 1e9 ? number * 1000 - now : number * 1000;
  }
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)];
  if (parts.length > 0 && parts.map(([part]) => part).join('') === text) {
    return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ''] ?? 0), 0);
  }
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : date - now;
}
