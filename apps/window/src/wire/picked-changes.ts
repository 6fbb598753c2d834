import type { OperationOptions, Schemas } from '@fucina/client';
import { api } from './client.ts';

export type PickedChanges = Schemas['PickedChanges'];

/** A changed file of a session as its diff showed it; without `hunks` the whole file. */
export type PickedChange = OperationOptions<'post', '/ext/worktrees/picks'>['body']['choices'][number];

/** The folder that gets chosen changes: one of them. */
export interface PickTarget {
  folder?: string;
  sessionId?: string;
}

const placeOf = ({ folder, sessionId }: PickTarget): PickTarget =>
  folder === undefined ? { sessionId: sessionId ?? '' } : { folder };

/** Both throw ApiError. */
export const pickChanges = (target: PickTarget, choices: PickedChange[]): Promise<PickedChanges> =>
  api.post('/ext/worktrees/picks', { body: { ...placeOf(target), choices } });

export const undoPick = (target: PickTarget, id: string): Promise<{ left: string[] }> =>
  api.post('/ext/worktrees/picks/{pickId}/undo', { path: { pickId: id }, body: placeOf(target) });
