import {
  type Ambient,
  isAppError,
  type ModelEvent,
  type ModelFailure,
  type ModelRequest,
  type OutboundAnswer,
  OutboundError,
  type OutboundHttp,
} from '@fucina/shared';
import { type Access, providerHeaders, secretsOf } from '../connection/access.ts';
import type { AggregatorExclusions } from '../store.ts';
import type { ProviderRecord } from '../table/record.ts';
import { classify } from './classify.ts';
import { CANNOT_BE_READ, failureOf, failureOfOutbound, interrupted, WireFailure } from './failure.ts';
import { providerMessage } from './provider-message.ts';

/** One call of one model, fully specified. */
export interface WireCall {
  ambient: Ambient;
  http: OutboundHttp;
  record: ProviderRecord;
  /** Without the provider's prefix. */
  model: string;
  /** No trailing slash. */
  endpoint: string;
  access: Access;
  firstResponseMs: number;
  idleMs: number;
  exclusions: AggregatorExclusions | null;
  request: ModelRequest;
  /** After a refusal that names it: nothing of reasoning is sent, neither asked for nor given back. */
  withoutReasoning?: boolean;
  signal: AbortSignal;
}

/** Ends with `finish`, or throws a WireFailure; batches are never empty. */
export type Wire = (call: WireCall) => AsyncIterable<readonly ModelEvent[]>;

const ERROR_BODY_BYTES = 65_536;
/** After decompression: far beyond the longest realistic answer. */
const MAX_STREAM_BYTES = 268_435_456;
/** More calls in one answer are treated as an error. */
export const MAX_TOOL_CALLS = 1000;

/** Sends the request and resolves with a stream of events; anything else is thrown as a WireFailure. */
export async function openStream(
  call: WireCall,
  url: string,
  sent: { headers?: Record<string, string>; body: string | Uint8Array },
): Promise<OutboundAnswer> {
  const { ambient, http, record, access, model, firstResponseMs, idleMs, signal } = call;
  const headers = providerHeaders(record, access, {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'user-agent': 'fucina/0.1',
    ...sent.headers,
  });
  const limits = { firstResponseMs, idleMs, bodyBytes: MAX_STREAM_BYTES };
  try {
    const answer = await http.send({
      url,
      method: 'POST',
      headers,
      body: sent.body,
      policy: 'configured',
      signal,
      limits,
    });
    if (answer.status >= 300) {
      const refusal = { status: answer.status, headers: answer.headers, body: await readErrorBody(answer), model };
      throw new WireFailure(classify({ ...refusal, secrets: secretsOf(access) }, ambient.now()));
    }
    if (!(answer.headers['content-type'] ?? '').includes('text/event-stream')) {
      throw new WireFailure(await notAStream(answer, access));
    }
    return answer;
  } catch (error) {
    throw asWireFailure(error, false);
  }
}

const NOT_A_STREAM = 'The address answers, but not as a model provider does.';

/** Some gateways report an error with status 200. */
async function notAStream(answer: OutboundAnswer, access: Access): Promise<ModelFailure> {
  const said = providerMessage(await readErrorBody(answer), secretsOf(access));
  const facts = { httpStatus: answer.status, message: NOT_A_STREAM, ...(said && { providerMessage: said }) };
  return failureOf('request-refused', facts);
}

/** @param hasStarted whether the answer's headers had arrived */
export function asWireFailure(error: unknown, hasStarted: boolean): unknown {
  if (error instanceof OutboundError) return new WireFailure(failureOfOutbound(error, hasStarted), { cause: error });
  if (error instanceof SyntaxError) return new WireFailure(interrupted(CANNOT_BE_READ), { cause: error });
  if (isAppError(error)) return new WireFailure(failureOf('not-configured', { code: error.code }), { cause: error });
  return error;
}

export async function readErrorBody(answer: OutboundAnswer): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of answer.body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > ERROR_BODY_BYTES) break;
    }
  } catch (error) {
    // The status is enough to determine the class.
    if (!(error instanceof OutboundError)) throw error;
  }
  return Buffer.concat(chunks).subarray(0, ERROR_BODY_BYTES).toString('utf8');
}
