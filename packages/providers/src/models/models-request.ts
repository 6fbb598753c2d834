import { OutboundError, type OutboundHttp } from '@fucina/shared';
import { type Access, providerHeaders, secretsOf } from '../connection/access.ts';
import { joinAddress } from '../connection/runtime.ts';
import type { ModelsForm, ProviderRecord } from '../table/record.ts';
import { providerMessage } from '../wires/provider-message.ts';
import { readErrorBody } from '../wires/wire.ts';
import { type ModelRow, readModelRows } from './model-rows.ts';

/** The result of a request for a provider's list, which is free at every provider. */
export type ListOutcome =
  | { kind: 'listed'; rows: ModelRow[] }
  | { kind: 'refused'; status: number; providerMessage?: string | undefined }
  | { kind: 'unreachable'; error: OutboundError }
  /** The response is not a list of models. */
  | { kind: 'unreadable' };

export interface ListRequest {
  record: ProviderRecord;
  endpoint: string;
  access: Access;
  timeoutMs: number;
  now: number;
  signal?: AbortSignal;
}

const MAX_LIST_BYTES = 16_777_216;

/** `record.models` must not be null. */
export async function requestModels(http: OutboundHttp, request: ListRequest): Promise<ListOutcome> {
  const { record, endpoint } = request;
  if (!record.models) return { kind: 'unreadable' };
  const { path, form, fromRoot } = record.models;
  const url = fromRoot ? new URL(path, endpoint).href : joinAddress(endpoint, path);
  const outcome = await ask(http, request, { url, form });
  const isOtherEngine = outcome.kind === 'refused' && outcome.status === 404 && record.wirePrefix !== '';
  if (!isOtherEngine) return outcome;
  // Any engine with the same wire may run at a local address; it may only support the common list.
  return ask(http, request, { url: joinAddress(endpoint, `${record.wirePrefix}/models`), form: 'openai' });
}

async function ask(
  http: OutboundHttp,
  { record, access, timeoutMs, now, signal }: ListRequest,
  { url, form }: { url: string; form: ModelsForm },
): Promise<ListOutcome> {
  const headers = providerHeaders(record, access, {
    accept: 'application/json',
    ...(form === 'anthropic' && { 'anthropic-version': '2023-06-01' }),
  });
  const limits = {
    connectMs: 5_000,
    firstResponseMs: Math.min(timeoutMs, 15_000),
    totalMs: 30_000,
    bodyBytes: MAX_LIST_BYTES,
  };
  try {
    const answer = await http.send({
      url: withPageSize(url, form),
      policy: 'configured',
      headers,
      limits,
      ...(signal && { signal }),
    });
    if (answer.status !== 200) {
      return {
        kind: 'refused',
        status: answer.status,
        providerMessage: providerMessage(await readErrorBody(answer), secretsOf(access)),
      };
    }
    return { kind: 'listed', rows: readModelRows(await answer.text(), { form, provider: record.id, now }) };
  } catch (error) {
    if (error instanceof OutboundError) return { kind: 'unreachable', error };
    if (error instanceof SyntaxError) return { kind: 'unreadable' };
    throw error;
  }
}

/** These two return a short first page by default. */
function withPageSize(url: string, form: string): string {
  const target = new URL(url);
  if (form === 'anthropic') target.searchParams.set('limit', '1000');
  if (form === 'gemini') target.searchParams.set('pageSize', '1000');
  return target.href;
}
