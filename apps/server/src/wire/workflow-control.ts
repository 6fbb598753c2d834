import type { ControlResult, RetryPreview, StartResult } from '@fucina/host';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';
import { commandId, commandReceipt } from './workflow-proposal.ts';

/** The only key of a run command. */
export const controlBody = z.strictObject({ commandId });

const begun = z.object({
  schema: z.literal('svc.workflow-start-result.v1'),
  status: z.literal('prepared'),
  workflowId: z.string(),
  version: z.int(),
  definitionHash: z.string(),
  runId: z.string(),
  receipt: commandReceipt,
  deduplicated: z.boolean(),
});

export const startResult = encoded(begun, ({ isReplay, ...facts }: StartResult) => ({
  schema: 'svc.workflow-start-result.v1' as const,
  status: 'prepared' as const,
  ...facts,
  deduplicated: isReplay,
}));

export const controlResult = renamed(
  z.object({ runId: z.string(), deduplicated: z.boolean(), receipt: commandReceipt }),
  { deduplicated: 'isReplay' } satisfies Record<string, keyof ControlResult>,
);

const preview = z.object({
  schema: z.literal('svc.workflow-retry-preview.v1'),
  runId: z.string(),
  falliti: z.array(z.object({ nodeId: z.string(), label: z.string(), errorClass: z.string(), attempt: z.int() })),
  dipendenti: z.array(z.string()),
  conservati: z.int(),
});

export const retryPreview = encoded(preview, ({ runId, failed, dependents, kept }: RetryPreview) => ({
  schema: 'svc.workflow-retry-preview.v1' as const,
  runId,
  falliti: [...failed],
  dipendenti: [...dependents],
  conservati: kept,
}));

/** Distinguished from a new command's answer only by its header. */
export function replayed({ isReplay }: { isReplay: boolean }): Record<string, string> {
  return isReplay ? { 'Idempotency-Replayed': 'true' } : {};
}
