import type { Output, RunList, RunStep, RunUpdate, Services, ViewWithBase } from '@fucina/host';
import { isAppError } from '@fucina/shared';
import * as z from 'zod';
import type { Form, Frame } from '../http/answers.ts';
import { encoded } from '../http/renamed.ts';
import { iso, isoOrNull } from './common.ts';
import { runHead, runHeadOnWire, runState, runStepOnWire, runStepRow, runViewCodec } from './workflow-graph.ts';

const runItem = z
  .object({
    runId: z.string(),
    createdAt: z.string(),
    workflowId: z.string(),
    version: z.int(),
    stato: runState,
    status: runState,
    title: z.string(),
    startedAt: z.string().nullable(),
    finishedAt: z.string().nullable(),
    durationMs: z.int().nullable(),
    steps: z.object({ total: z.int(), terminal: z.int(), failed: z.int(), active: z.int() }),
    model: z.string(),
  })
  .meta({ id: 'WorkflowRun' });

export const runList = encoded(
  z.object({
    schema: z.literal('svc.workflow-run-list.v1'),
    sessionId: z.string(),
    offset: z.int(),
    limit: z.int(),
    total: z.int(),
    nextOffset: z.int().nullable(),
    items: z.array(runItem),
  }),
  ({ items, ...page }: RunList) => ({
    schema: 'svc.workflow-run-list.v1' as const,
    ...page,
    items: items.map((item) => ({
      ...item,
      createdAt: iso(item.createdAt),
      stato: item.status,
      startedAt: isoOrNull(item.startedAt),
      finishedAt: isoOrNull(item.finishedAt),
    })),
  }),
);

const result = z.object({
  resultId: z.string(),
  sha256: z.string(),
  bytes: z.int(),
  kind: z.string(),
  contentType: z.string(),
});

export const runStep = runViewCodec(
  {
    ...runStepRow.shape,
    attempt: z.int(),
    resultRefIds: z.array(z.string()),
    totalOutputs: z.int(),
    outputOffset: z.int(),
    nextOutputOffset: z.int().nullable(),
    outputs: z.array(result.extend({ preview: z.string(), truncated: z.boolean() })),
  },
  ({ step, resultIds, outputs, ...detail }: RunStep) => ({
    ...runStepOnWire(step),
    ...detail,
    resultRefIds: [...resultIds],
    outputs: outputs.map(({ isTruncated, ...output }) => ({ ...output, truncated: isTruncated })),
  }),
);

const about = { runId: z.string(), sessionId: z.string(), nodeId: z.string() };

const outputText = z.object({
  schema: z.literal('svc.workflow-node-output.v1'),
  ...about,
  ...result.shape,
  totalCharacters: z.int(),
  offset: z.int(),
  shownCharacters: z.int(),
  content: z.string().nullable(),
  reason: z.literal('not-text').optional(),
  rawAvailable: z.literal(true).optional(),
});

const outputIndex = z.object({
  schema: z.literal('svc.workflow-node-output-index.v1'),
  ...about,
  total: z.int(),
  results: z.array(result),
});

type OutputPlace = Record<keyof typeof about, string>;
type AskedOutput = OutputPlace & { seen: ViewWithBase<Output> };
type FoundOutput = Awaited<ReturnType<Services['workflows']['views']['outputAs']>>;

/** The result of a step as a record, or as bytes under the name of the result. */
export function outputForm(place: OutputPlace, found: FoundOutput): Form<AskedOutput> {
  if ('view' in found) return { record: { ...place, seen: found } };
  const { bytes, contentType, resultId } = found;
  return { bytes: { content: bytes, sizeBytes: bytes.length, mediaType: contentType, name: resultId } };
}

export const output = encoded(
  z.union([outputText, outputIndex]),
  ({ seen: { view }, ...asked }: AskedOutput): z.output<typeof outputText> | z.output<typeof outputIndex> =>
    view.kind === 'index'
      ? {
          schema: 'svc.workflow-node-output-index.v1' as const,
          ...asked,
          total: view.total,
          results: [...view.results],
        }
      : {
          schema: 'svc.workflow-node-output.v1' as const,
          ...asked,
          ...view.text,
          ...(view.text.content === null && { reason: 'not-text' as const, rawAvailable: true as const }),
        },
);

export const runUpdate = runHead.extend({
  fromSeq: z.int(),
  total: z.int(),
  terminated: z.int(),
  attention: z.int(),
  resync: z.boolean(),
  resyncReason: z.enum(['cursor_ahead', 'graph_changed', 'too_many_changes']).nullable(),
  nodes: z.array(runStepRow),
});

/** A failure is sent as the last event, after which the stream ends. */
export async function* runFrames(updates: AsyncIterable<RunUpdate>): AsyncIterable<readonly Frame[]> {
  try {
    for await (const update of updates) yield [updateFrame(update)];
  } catch (error) {
    const code = isAppError(error) ? error.code : 'INTERNAL_ERROR';
    yield [{ event: 'run-error', json: JSON.stringify({ code }) }];
  }
}

function updateFrame({ base, resync, steps, ...facts }: RunUpdate): Frame {
  const update = z.encode(runUpdate, {
    ...runHeadOnWire(base),
    ...facts,
    resync: resync !== null,
    resyncReason: resync,
    nodes: steps.map(runStepOnWire),
  });
  return { id: base.lastSeq, event: 'run-update', json: JSON.stringify(update) };
}
