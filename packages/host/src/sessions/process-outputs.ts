import type { Sessions } from '@fucina/sessions';
import { commonError, isAppError } from '@fucina/shared';
import type { Commands, OutputSlice, StreamName, WholeOutput } from '@fucina/tools';
import type { SessionResolver } from './session-resolver.ts';

export interface OutputRequest {
  outputId: string;
  stream: StreamName;
  /** Bytes. */
  offset?: number | undefined;
  limit?: number | undefined;
  form: 'text' | 'raw' | 'download';
}

export type OutputAnswer =
  | ({ form: 'text' | 'raw' } & OutputRequest & OutputSlice)
  | ({ form: 'download' } & OutputRequest & WholeOutput);

/** Output of a session's commands; tools stores the bytes. */
export interface ProcessOutputs {
  /** NOT_FOUND for an unknown session or output. */
  read(sessionId: string, request: OutputRequest): Promise<OutputAnswer>;
}

export function createProcessOutputs(needs: {
  resolver: SessionResolver;
  commands(): Promise<Commands>;
}): ProcessOutputs {
  return {
    async read(sessionId, request) {
      await needs.resolver.resolve(sessionId);
      const commands = await needs.commands();
      const { outputId, stream, form, offset, limit } = request;
      if (form === 'download') {
        const whole = found(await commands.wholeOutput(sessionId, { outputId, stream }));
        return { ...request, form, ...whole };
      }
      const cutAt = form === 'text' ? 'characters' : 'bytes';
      const slice = found(await commands.output(sessionId, outputId, { stream, offset, limit, cutAt }));
      return { ...request, form, ...slice };
    },
  };
}

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw commonError('NOT_FOUND');
  return value;
}

export async function isKnownSession(sessions: Sessions, sessionId: string): Promise<boolean> {
  try {
    await sessions.read(sessionId);
    return true;
  } catch (error) {
    if (isAppError(error, 'NOT_FOUND')) return false;
    throw error;
  }
}
