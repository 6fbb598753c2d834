import type { Capacity, Inspection, LoadedModel, ModelFit, RuntimeView } from '@fucina/host';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';
import { instant, iso, text, wholeNumber } from './common.ts';

const tokens = z.number().int();
const bytesOrNull = z.number().nullable();
const id = z.string().min(1).max(300);

const runtimeWire = z
  .object({
    runtimeId: z.string(),
    state: z.enum(['observed', 'unavailable']),
    runtimeState: z.string(),
    models: z.array(
      z.object({
        modelId: z.string(),
        name: z.string().nullable(),
        loaded: z.boolean(),
        contextLength: tokens.nullable(),
        sizeBytes: bytesOrNull,
      }),
    ),
    modelsError: z.string().optional(),
    reason: z.string().optional(),
    progress: z.number().nullable(),
    observedAt: z.string(),
  })
  .meta({ id: 'LocalRuntime' });

function runtimeOnWire({
  models,
  modelsError,
  reason,
  observedAt,
  ...view
}: RuntimeView): z.output<typeof runtimeWire> {
  return {
    ...view,
    models: models.map(({ isLoaded, contextTokens, ...model }) => ({
      ...model,
      loaded: isLoaded,
      contextLength: contextTokens,
    })),
    ...(modelsError && { modelsError }),
    ...(reason && { reason }),
    observedAt: iso(observedAt),
  };
}

export const runtimeView = encoded(runtimeWire, runtimeOnWire);

export const runtimeBootstrap = encoded(
  z.object({
    schema: z.literal('svc.runtime.bootstrap/1'),
    authoritative: z.literal('backend'),
    runtime: z.object({
      schema: z.literal('svc.runtime/1'),
      status: z.enum(['available', 'unavailable']),
      items: z.array(runtimeWire).nullable(),
      consulted: z.boolean(),
      observedAt: z.string(),
      reason: z.string().nullable(),
    }),
    observedAt: z.string(),
  }),
  (views: RuntimeView[]) => {
    const isAny = views.some(({ state }) => state === 'observed');
    const observedAt = iso(Math.max(...views.map((view) => view.observedAt)));
    return {
      schema: 'svc.runtime.bootstrap/1' as const,
      authoritative: 'backend' as const,
      runtime: {
        schema: 'svc.runtime/1' as const,
        status: isAny ? ('available' as const) : ('unavailable' as const),
        items: isAny ? views.map(runtimeOnWire) : null,
        consulted: true,
        observedAt,
        reason: isAny ? null : (views[0]?.reason ?? null),
      },
      observedAt,
    };
  },
).meta({ id: 'RuntimeBootstrap' });

export const loadRequest = renamed(
  z.strictObject({ runtimeId: id, modelId: id, contextLength: z.number().int().positive().max(16_777_216).optional() }),
  { contextLength: 'contextTokens' },
);

export const unloadRequest = z.strictObject({ runtimeId: id, modelId: id.optional() });

export const loadedModel = encoded(
  z.object({
    runtimeId: z.string(),
    modelId: z.string(),
    state: z.literal('loaded'),
    contextLength: tokens.nullable(),
    /** Only with a notice: `gpu-not-used`. */
    note: z.string().optional(),
    observedAt: z.string(),
  }),
  ({ contextTokens, note, observedAt, ...loaded }: LoadedModel) => ({
    ...loaded,
    contextLength: contextTokens,
    ...(note && { note }),
    observedAt: iso(observedAt),
  }),
).meta({ id: 'LoadedModel' });

export const unloadedModel = z.object({
  runtimeId: z.string(),
  modelId: z.string().nullable(),
  state: z.literal('unloaded'),
  observedAt: instant,
});

/** Non-numeric values fail as a query; implausible ones are FIT_INVALID, which the domain checks. */
export const fitQuery = z.strictObject({ profile: text.max(40).optional(), contextTokens: wholeNumber.optional() });
export const estimateQuery = z.strictObject({ bytes: wholeNumber, contextTokens: wholeNumber.optional() });

const profile = z.enum(['agent', 'chat']);
const fitFields = {
  profile,
  state: z.enum(['compatible', 'chat-only', 'blocked', 'unknown']),
  reason: z.enum(['fits', 'context', 'storage', 'memory', 'capabilities', 'template', 'measurement']),
  context: z.object({ requestedTokens: tokens, availableTokens: tokens.nullable() }),
  storage: z.object({ requiredBytes: z.number(), availableBytes: bytesOrNull }),
  memory: z.object({ requiredBytes: z.number(), availableBytes: bytesOrNull }),
};

const fact = <Value extends z.ZodType>(value: Value) =>
  z.object({ state: z.enum(['observed', 'declared', 'unknown']), value: value.nullable() });

const inspection = z
  .object({
    modelId: z.string(),
    /** As the interface names it; the value comes from the state. */
    format: z.object({
      state: z.enum(['observed', 'declared', 'unknown']),
      magic: z.literal('GGUF').nullable(),
      version: z.number().nullable(),
    }),
    storageBytes: fact(z.number()),
    workingMemoryBytes: fact(z.number()),
    context: z.object({ trainedTokens: fact(tokens), runtimeTokens: fact(tokens), effectiveTokens: fact(tokens) }),
    template: fact(z.boolean()),
    capabilities: z.object({ tools: fact(z.boolean()), toolCalls: fact(z.boolean()), systemRole: fact(z.boolean()) }),
    backend: fact(z.string()),
    build: fact(z.string()),
    observedAt: z.string(),
  })
  .meta({ id: 'ModelInspection' });

function inspectionOnWire({ format, observedAt, ...rest }: Inspection): z.output<typeof inspection> {
  return {
    ...rest,
    format: { state: format.state, magic: format.value?.magic ?? null, version: format.value?.version ?? null },
    observedAt: iso(observedAt),
  };
}

export const fitAnswer = z.object(fitFields);

export const modelFit = encoded(
  z.object({ modelId: z.string(), ...fitFields, inspection }).meta({ id: 'ModelFit' }),
  (fit: ModelFit) => ({ ...fit, inspection: inspectionOnWire(fit.inspection) }),
);

export const qualifyRequest = z.strictObject({
  /** Anything but true is PROBE_CONSENT_REQUIRED. */
  consent: z.unknown().optional(),
  profile: text.max(40).optional(),
  contextTokens: z.number().int().optional(),
});

export const qualifiedModel = z
  .object({
    modelId: z.string(),
    state: z.literal('qualified'),
    backend: fact(z.string()),
    build: fact(z.string()),
    contextTokens: tokens,
    performance: z.object({ ttftMs: fact(z.number()), tokensPerSecond: fact(z.number()) }),
    durationMs: z.number(),
    measuredAt: instant,
  })
  .meta({ id: 'QualifiedModel' });

export const capacity = encoded(
  z
    .object({
      schema: z.literal('svc.model-lab.capacity/1'),
      platform: z.string(),
      arch: z.string(),
      measuredAt: z.string(),
      cpu: z.object({ model: z.string(), physicalCores: z.number().int(), logicalCores: z.number().int() }),
      memory: z.object({ totalBytes: z.number(), freeBytes: z.number() }),
      gpu: z
        .array(z.object({ name: z.string(), totalBytes: bytesOrNull, freeBytes: bytesOrNull, backend: z.string() }))
        .nullable(),
      storage: z.object({
        totalBytes: z.number(),
        availableBytes: z.number(),
        reserveBytes: z.number(),
        allocatableBytes: z.number(),
      }),
      runtime: z.object({ status: z.string(), reason: z.string().nullable() }),
    })
    .meta({ id: 'ModelLabCapacity' }),
  ({ measuredAt, processor, graphics, ...rest }: Capacity) => ({
    schema: 'svc.model-lab.capacity/1' as const,
    ...rest,
    measuredAt: iso(measuredAt),
    cpu: processor,
    gpu: graphics,
  }),
);
