import { isAppError, OutboundError, type OutboundHttp } from '@fucina/shared';
import type * as z from 'zod';
import { localModelsError } from '../errors.ts';
import type { RuntimeModel } from './runtime.ts';

/** Address of an external program that runs models, as the user configured it; null if none. */
export interface ExternalAddress {
  endpoint: string | null;
  /** With the user's credentials. */
  headers: Readonly<Record<string, string>>;
}

/** Requests to such a program. Every failure is RUNTIME_UNREACHABLE or LOCAL_RUNTIME_FAILED unless noted. */
export interface ExternalRuntime {
  models(): Promise<RuntimeModel[]>;
  /** MODEL_NOT_FOUND, RUNTIME_OPERATION_UNSUPPORTED when the program is too old. */
  load(modelId: string, contextTokens: number | undefined): Promise<void>;
  unload(modelId: string): Promise<void>;
}

export interface ExternalNeeds {
  http: OutboundHttp;
  address(): Promise<ExternalAddress>;
}

/** Listing must not delay the first paint; loading reads gigabytes. */
const LOOK = { connectMs: 1_000, firstResponseMs: 3_000, idleMs: 3_000, totalMs: 5_000, bodyBytes: 8_388_608 };
const LOAD = { connectMs: 3_000, firstResponseMs: 300_000, idleMs: 300_000, totalMs: 600_000, bodyBytes: 8_388_608 };

export interface RuntimeRequest {
  path: string;
  /** Sent as JSON; without it, a GET request. */
  body?: object;
  isLong?: boolean;
}

export interface Answered {
  status: number;
  text: string;
}

/** Resolves for any status. RUNTIME_UNREACHABLE. */
export async function ask({ http, address }: ExternalNeeds, { path, body, isLong }: RuntimeRequest): Promise<Answered> {
  const { endpoint, headers } = await address();
  if (!endpoint) throw localModelsError('RUNTIME_UNREACHABLE', { reason: 'no-address' });
  try {
    const answer = await http.send({
      url: `${endpoint.replace(/\/+$/, '')}${path}`,
      method: body ? 'POST' : 'GET',
      policy: 'configured',
      headers: {
        ...headers,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      limits: isLong ? LOAD : LOOK,
    });
    return { status: answer.status, text: await answer.text() };
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    throw localModelsError('RUNTIME_UNREACHABLE', { reason: cause.problem, cause });
  }
}

/** LOCAL_RUNTIME_FAILED for an error response, or one of another shape. */
export function readAnswer<Schema extends z.ZodType>({ status, text }: Answered, schema: Schema): z.output<Schema> {
  if (status >= 400) throw localModelsError('LOCAL_RUNTIME_FAILED', { reason: 'refused', params: { status } });
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw localModelsError('LOCAL_RUNTIME_FAILED', { reason: 'unreadable-answer', cause });
  }
}

/** Throws when a program failed to load or unload. */
export function checkDone({ status, text }: Answered): void {
  if (status < 400) return;
  const isModel = /model/i.test(text) && /not.{0,3}found|not exist|unknown|no such|not loaded|invalid/i.test(text);
  if (isModel && (status === 404 || status === 400)) throw localModelsError('MODEL_NOT_FOUND');
  if ([404, 405, 501].includes(status)) throw localModelsError('RUNTIME_OPERATION_UNSUPPORTED', { params: { status } });
  throw localModelsError('LOCAL_RUNTIME_FAILED', { reason: 'refused', params: { status } });
}

/** Whether the program reports the model as loaded; undefined when it does not respond. */
export async function isModelInMemory(runtime: ExternalRuntime, modelId: string): Promise<boolean | undefined> {
  try {
    return (await runtime.models()).some((model) => model.modelId === modelId && model.isLoaded);
  } catch (error) {
    if (isAppError(error, 'RUNTIME_UNREACHABLE', 'LOCAL_RUNTIME_FAILED')) return undefined;
    throw error;
  }
}
