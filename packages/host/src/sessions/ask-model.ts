import { type Providers, parseModelId } from '@fucina/providers';
import { defineErrors, isAppError, type ModelFailure, type ModelRequest } from '@fucina/shared';

const modelError = defineErrors(
  'MODEL_CALL_FAILED',
  'SESSION_MODEL_UNKNOWN',
  'RUNTIME_NOT_AVAILABLE',
  'PROVIDER_KEY_REQUIRED',
);

export interface ModelQuestion {
  system: string;
  text: string;
  signal: AbortSignal;
  maxOutputTokens: number;
  purpose: NonNullable<ModelRequest['purpose']>;
}

/**
 * One question to a model, without tools. Throws SESSION_MODEL_UNKNOWN, PROVIDER_KEY_REQUIRED, RUNTIME_NOT_AVAILABLE,
 * MODEL_CALL_FAILED.
 */
export async function askModel(
  { client }: Providers,
  model: string | null,
  { system, text, ...question }: ModelQuestion,
): Promise<{ text: string; model: string }> {
  const known = checkedModel(model);
  const { signal, maxOutputTokens, purpose } = question;
  const request = {
    model: known,
    system: [system],
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }],
    tools: [],
    maxOutputTokens,
    purpose,
  };
  let said = '';
  for await (const events of client.stream(request, signal)) {
    for (const event of events) {
      if (event.type === 'failure') throw failureOf(event.failure);
      if (event.type === 'text') said += event.delta;
    }
  }
  if (said.trim() === '') throw modelError('MODEL_CALL_FAILED', { reason: 'empty-answer' });
  return { text: said, model: known };
}

function checkedModel(model: string | null): string {
  if (model === null) throw modelError('SESSION_MODEL_UNKNOWN', { reason: 'no-model' });
  try {
    parseModelId(model);
    return model;
  } catch (cause) {
    if (isAppError(cause)) throw modelError('SESSION_MODEL_UNKNOWN', { cause });
    throw cause;
  }
}

function failureOf({ code, class: failureClass, providerMessage }: ModelFailure): Error {
  const details = { code, class: failureClass };
  if (code === 'RUNTIME_NOT_AVAILABLE' || code === 'PROVIDER_KEY_REQUIRED') return modelError(code, { details });
  return modelError('MODEL_CALL_FAILED', {
    reason: failureClass,
    details,
    ...(providerMessage !== undefined && { params: { providerMessage } }),
  });
}
