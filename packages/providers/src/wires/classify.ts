import type { ModelFailure, ModelFailureClass, Secret } from '@fucina/shared';
import { failureOf } from './failure.ts';
import { providerMessage } from './provider-message.ts';
import { waitAsked } from './waits.ts';

const CONTEXT_WORDS =
  /context[_ ]length|context window|maximum context|prompt is too long|too many (input )?tokens|input (length|tokens?).{0,40}(exceed|too)|exceeds? the (maximum|model'?s?|available) .{0,30}(context|tokens?)|reduce the length|string_above_max_length|input is too long/i;
const CREDIT_WORDS =
  /insufficient[_ ](quota|credits?|balance|funds)|exceeded your current quota|credit balance|billing|payment required|out of credits|arrears/i;

const KEY_WORDS = /API_KEY_INVALID|api key (not valid|expired)/i;

export interface ProviderRefusal {
  status: number;
  headers: Record<string, string>;
  /** The beginning of the body. */
  body: string;
  /** The key that was sent: an answer may repeat it. */
  key?: Secret | undefined;
}

/** The class of an answer with an error status, and what the provider said in it. */
export function classify({ status, headers, body, key }: ProviderRefusal, now: number): ModelFailure {
  const failureClass = classOf(status, body);
  const isWait = failureClass === 'rate-limit' || failureClass === 'server';
  const retryAfterMs = isWait ? (waitAsked(headers, now) ?? waitInBody(body)) : null;
  const said = providerMessage(body, key);
  return failureOf(failureClass, { httpStatus: status, retryAfterMs, ...(said && { providerMessage: said }) });
}

/** Google says the wait in the body alone. */
function waitInBody(body: string): number | null {
  const seconds = /"retryDelay":\s*"(\d{1,6}(?:\.\d+)?)s"/.exec(body)?.[1];
  return seconds === undefined ? null : Math.round(Number(seconds) * 1000);
}

function classOf(status: number, body: string): ModelFailureClass {
  // Some providers say it with 429 or 503.
  if (status !== 401 && status !== 403 && CONTEXT_WORDS.test(body)) return 'context-too-long';
  if (status === 402) return 'credit';
  // Google says the same words of a limit per minute and of an empty account; only the first has this name.
  if (status === 429 && body.includes('"RESOURCE_EXHAUSTED"')) return 'rate-limit';
  if (status === 400 && KEY_WORDS.test(body)) return 'credential';
  if ((status === 429 || status === 400 || status === 403) && CREDIT_WORDS.test(body)) return 'credit';
  if (status === 401 || status === 403) return 'credential';
  if (status === 413) return 'context-too-long';
  if (status === 429) return 'rate-limit';
  if (status === 408 || status >= 500) return 'server';
  return 'request-refused';
}
