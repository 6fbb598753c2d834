import { commonError } from '@fucina/shared';
import * as z from 'zod';
import { sessionId, text, wholeNumber } from '../../wire/common.ts';

export const tag = 'Workflows';
export const errors = ['WORKFLOW_STORE_UNAVAILABLE'] as const;

const versionParams = z.strictObject({ workflowId: text.max(200), version: text.max(200) });
const runParams = z.strictObject({ sessionId, runId: text.max(200) });

export const versionRoute = { path: '/workflows/{workflowId}/versions/{version}', params: versionParams } as const;
export const runRoute = { path: '/sessions/{sessionId}/workflows/{runId}', params: runParams } as const;

/** Body limit of a command, with its two short keys. */
export const COMMAND_BODY_LIMIT = 4_096;
export const stepId = text.max(200);

const offset = wholeNumber.default(0);
const upTo = (most: number) => wholeNumber.pipe(z.int().min(1).max(most)).default(50);
const direction = z.enum(['upstream', 'downstream']);
const phaseId = z.string().min(1).max(128);

export const edgesQuery = z.strictObject({
  offset,
  limit: upTo(100),
  phaseId: z.union([phaseId, z.array(phaseId).max(64)]).optional(),
});
export const groupQuery = z.strictObject({ offset, limit: upTo(50), sort: z.literal('stato').optional() });
export const lineageQuery = z.strictObject({ direction, offset, limit: upTo(1_000) });
export const historyQuery = z.strictObject({ offset, limit: upTo(1_000) });
export const listQuery = z.strictObject({ offset, limit: upTo(50) });

/** A version in any other notation does not exist. */
export function versionRef({ workflowId, version: asked }: z.output<typeof versionParams>) {
  if (!/^[1-9]\d{0,8}$/.test(asked)) throw commonError('NOT_FOUND', { reason: 'workflow-version' });
  return { workflowId, version: Number(asked) };
}

export function edgesRequest({ phaseId: asked = [], ...page }: z.output<typeof edgesQuery>) {
  return { page, phaseIds: typeof asked === 'string' ? [asked] : asked };
}

export function groupRequest(phase: string, { sort, ...page }: z.output<typeof groupQuery>) {
  return { phaseId: phase, page, ...(sort && { sort: 'state' as const }) };
}

export function lineageRequest(nodeId: string, { direction: asked, ...page }: z.output<typeof lineageQuery>) {
  return { nodeId, direction: asked, page };
}

/** A view as a response: the same facts give the same bytes. */
export function asView<Record extends { factsAt: number }>(record: Record): { record: Record; factsAt: number } {
  return { record, factsAt: record.factsAt };
}
