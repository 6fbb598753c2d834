import type { Services } from '@fucina/host';
import * as z from 'zod';
import { renamed } from '../../http/renamed.ts';
import { sessionId } from '../../wire/common.ts';
import { recordId } from '../../wire/record-fields.ts';

export const tag = 'Library, notes, tasks, memory, research';

interface PlaceParams {
  /** Absent when no session is involved. */
  sessionId?: string;
}

/** The two paths to the same records: directly, or through a session, which must exist. */
export interface RecordScope {
  /** Part of the operation ids. */
  prefix: '' | 'session-';
  path: '/me' | '/sessions/{sessionId}';
  params: z.ZodType<PlaceParams>;
  /** With the id of a record, in the parameter `name`. */
  paramsOf(name: string): z.ZodType<PlaceParams & { id: string }>;
  /** Throws NOT_FOUND for an unknown session. */
  enter(services: Services, params: PlaceParams): Promise<Services['library']>;
  /** Path of a record. */
  addressOf(params: PlaceParams, collection: string, id: string): string;
}

function place(
  prefix: RecordScope['prefix'],
  path: RecordScope['path'],
  shape: { sessionId?: typeof sessionId },
): RecordScope {
  return {
    prefix,
    path,
    params: z.strictObject(shape) as unknown as z.ZodType<PlaceParams>,
    paramsOf: (name) =>
      renamed(z.strictObject({ ...shape, [name]: recordId }), { [name]: 'id' }) as unknown as z.ZodType<
        PlaceParams & { id: string }
      >,
    async enter({ sessions, library }, { sessionId: asked }) {
      if (asked !== undefined) await sessions.read(asked);
      return library;
    },
    addressOf: ({ sessionId: asked = '' }, collection, id) =>
      `${path.replace('{sessionId}', encodeURIComponent(asked))}/${collection}/${id}`,
  };
}

export const withoutSession = place('', '/me', {});
export const inSession = place('session-', '/sessions/{sessionId}', { sessionId });
