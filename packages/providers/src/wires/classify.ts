import type { ModelFailure, ModelFailureClass } from '@fucina/shared';
import { failureOf, STOPPED_WITH_ERROR } from './failure.ts';
import { providerMessage } from './provider-message.ts';
import { waitAsked } from './waits.ts';

const CONTEXT_WORDS =
  /context[_ ]length|context window|maximum context|prompt is too long|too many (input )?tokens|input (length|tokens?).{0,40}(exceed|too)|exceeds? the (maximum|model'?s?|available) .{0,30}(context|tokens?)|reduce the length|string_above_max_length|input is too long/i;
const CREDIT_WORDS =
  /insufficient[_ ](quota|credits?|balance|funds)|exceeded your current quota|credit balance|billing|payment required|out of credits|arrears/i;

const MODEL_WORDS =
  /model[_ -]?not[_ -]?found|(unknown|no such) model|\bmodels?\b.{0,200}\b(not (be )?found|not exist|n[’']t exist|not available)/i;
const MODEL_CODE = /"(code|type)"\s*:\s*"(model[_ -]?not[_ -]?found|model[_ -]?not[_ -]?exist)[^"]*"/i;
/** Request data that a server may echo: on one wire the path contains the name of the model. */
const ADDRESS = /(^|[\s"'`(])([a-z][a-z\d+.-]*:\/\/|\/|v\d\w*\/)[^\s"'`)]*/gi;

const KEY_WORDS = /API_KEY_INVALID|api key (not valid|expired)/i;

const OVERLOAD_WORDS = /overloaded|rate.?limit|too many requests|server_error|internal error|unavailable/i;

/** An error that the provider reports inside a stream that had begun. */
export function failureInStream(error: unknown, said: string | undefined): ModelFailure {
  const text = `${said ?? ''} ${typeof error === 'string' ? error : (JSON.stringify(error) ?? '')}`;
  const facts = { message: STOPPED_WITH_ERROR, ...(said && { providerMessage: said }) };
  if (CONTEXT_WORDS.test(text)) return failureOf('context-too-long', said ? { providerMessage: said } : {});
  if (OVERLOAD_WORDS.test(text)) return failureOf('server', { ...facts, isOutcomeKnown: false });
  return failureOf('stream-interrupted', { ...facts, isOutcomeKnown: false });
}

const REASONING_WORDS = /thinking|reasoning|thought|signature|\broles?\b/i;

const IMAGE_WORDS = /\bimages?\b|image_url|\bvision\b|multimodal/i;
const REFUSALS = new Set([400, 404, 415, 422, 500]);

const LIMIT_WORDS = /max_?(completion_?|output_?|new_?)?tokens|in the completion/i;
const LIMITED: ReadonlySet<ModelFailureClass> = new Set(['request-refused', 'context-too-long']);

export type RefusedPart = 'reasoning' | 'images' | 'limit';

/**
 * What of the request the provider names in its refusal: images, the output limit, or what was given back or asked of reasoning and the
 * order of the messages.
 */
export function refusedPart(failure: ModelFailure): RefusedPart | undefined {
  const { class: failureClass, httpStatus, providerMessage: said } = failure;
  if (said === undefined || httpStatus === null || !REFUSALS.has(httpStatus)) return undefined;
  if (IMAGE_WORDS.test(said)) return 'images';
  const isBad = httpStatus === 400 || httpStatus === 422;
  // A limit that does not fit into the window behind the request is refused as if the request were too long.
  if (isBad && LIMITED.has(failureClass) && LIMIT_WORDS.test(said)) return 'limit';
  const isRefusal = failureClass === 'request-refused' && isBad;
  return isRefusal && REASONING_WORDS.test(said) ? 'reasoning' : undefined;
}

export interface ProviderRefusal {
  status: number;
  headers: Record<string, string>;
  /** The start of the body. */
  body: string;
  /** Key and headers that were sent: a response may echo them. */
  secrets?: readonly string[];
  /** The requested model, by the provider's name. */
  model?: string;
}

/** The class of an error response, and the provider's message in it. */
export function classify({ status, headers, body, secrets, model }: ProviderRefusal, now: number): ModelFailure {
  const failureClass = classOf(status, body);
  const isWait = failureClass === 'rate-limit' || failureClass === 'server';
  const retryAfterMs = isWait ? (waitAsked(headers, now) ?? waitInBody(body)) : null;
  const said = providerMessage(body, secrets);
  const isModelUnknown = failureClass === 'request-refused' && status === 404 && namesModel(body, said, model);
  return failureOf(failureClass, {
    httpStatus: status,
    retryAfterMs,
    ...(said && { providerMessage: said }),
    ...(isModelUnknown && { code: 'MODEL_NOT_FOUND', message: 'The provider does not offer this model.' }),
  });
}

/** A wrong address also returns 404, but its message does not mention the model. */
function namesModel(body: string, said: string | undefined, model: string | undefined): boolean {
  if (said === undefined || /<html|<!doctype/i.test(body)) return false;
  const words = said.replaceAll(ADDRESS, '$1');
  if (MODEL_WORDS.test(words) || MODEL_CODE.test(body)) return true;
  return model !== undefined && words.split(/[\s"'`“”‘’,;()[\]]+/).some((word) => isName(word, model));
}

/** With a trailing full stop, or the collection before it. */
function isName(word: string, model: string): boolean {
  return word.replace(/[.:!?]$/, '').replace(/^models\//, '') === model;
}

/** Google states the wait only in the body. */
function waitInBody(body: string): number | null {
  const seconds = /"retryDelay":\s*"(\d{1,6}(?:\.\d+)?)s"/.exec(body)?.[1];
  return seconds === undefined ? null : Math.round(Number(seconds) * 1000);
}

function classOf(status: number, body: string): ModelFailureClass {
  // Some providers send it with 429 or 503.
  if (status !== 401 && status !== 403 && CONTEXT_WORDS.test(body)) return 'context-too-long';
  if (status === 402) return 'credit';
  // Google uses the same text for a limit per minute and an empty account; only the former has this name.
  if (status === 429 && body.includes('"RESOURCE_EXHAUSTED"')) return 'rate-limit';
  if (status === 400 && KEY_WORDS.test(body)) return 'credential';
  if ((status === 429 || status === 400 || status === 403) && CREDIT_WORDS.test(body)) return 'credit';
  if (status === 401 || status === 403) return 'credential';
  if (status === 413) return 'context-too-long';
  if (status === 429) return 'rate-limit';
  if (status === 408 || status >= 500) return 'server';
  return 'request-refused';
}
