import { items, json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { modelParams } from '../../wire/local-model.ts';
import {
  capacity,
  estimateQuery,
  fitAnswer,
  fitQuery,
  loadedModel,
  loadRequest,
  modelFit,
  qualifiedModel,
  qualifyRequest,
  runtimeBootstrap,
  runtimeView,
  unloadedModel,
  unloadRequest,
} from '../../wire/local-runtime.ts';

const tag = 'Local models';

export const listRuntimes = operation({
  id: 'runtime.list',
  tag,
  summary: 'Engines of this computer with their models',
  method: 'GET',
  path: '/runtime',
  answer: items(runtimeView),
  errors: [],
  handle: ({ services }) => services.localRuntimes.list(),
});

export const bootstrapRuntimes = operation({
  id: 'runtime.bootstrap',
  tag,
  summary: 'Engine list for the first display',
  method: 'GET',
  path: '/runtime/bootstrap',
  answer: json(runtimeBootstrap),
  errors: [],
  handle: ({ services }) => services.localRuntimes.list(),
});

export const loadModel = operation({
  id: 'runtime.load',
  tag,
  summary: 'Load a model; responds once it is ready',
  method: 'POST',
  path: '/runtime/load',
  body: loadRequest,
  answer: json(loadedModel),
  errors: [
    'RUNTIME_NOT_AVAILABLE',
    'MODEL_NOT_FOUND',
    'RUNTIME_ALREADY_RUNNING',
    'RUNTIME_UNREACHABLE',
    'MODEL_LOAD_UNCONFIRMED',
    'LOCAL_RUNTIME_FAILED',
    'RUNTIME_OPERATION_UNSUPPORTED',
    'MODEL_NOT_READY',
    'MODEL_FILE_UNREADABLE',
  ],
  handle: ({ body, services }) => services.localRuntimes.load(body),
});

export const unloadModel = operation({
  id: 'runtime.unload',
  tag,
  summary: 'Unload the model of an engine',
  method: 'POST',
  path: '/runtime/unload',
  body: unloadRequest,
  answer: json(unloadedModel),
  errors: [
    'RUNTIME_NOT_AVAILABLE',
    'RUNTIME_OPERATION_UNSUPPORTED',
    'MODEL_UNLOAD_UNCONFIRMED',
    'MODEL_NOT_FOUND',
    'RUNTIME_UNREACHABLE',
    'LOCAL_RUNTIME_FAILED',
  ],
  handle: ({ body, services }) => services.localRuntimes.unload(body),
});

export const estimateFit = operation({
  id: 'local-models.fit-estimate',
  tag,
  summary: 'Whether a model of this size would fit',
  method: 'GET',
  path: '/local-models/fit-estimate',
  query: estimateQuery,
  answer: json(fitAnswer),
  errors: ['RUNTIME_NOT_AVAILABLE', 'FIT_INVALID'],
  handle: ({ query, services }) => services.localRuntimes.estimate(query),
});

export const readFit = operation({
  id: 'local-models.fit',
  tag,
  summary: 'Whether an installed model fits, from its file header',
  method: 'GET',
  path: '/local-models/{modelId}/fit',
  params: modelParams,
  query: fitQuery,
  answer: json(modelFit),
  errors: [
    'RUNTIME_NOT_AVAILABLE',
    'FIT_INVALID',
    'MODEL_NOT_FOUND',
    'MODEL_NOT_READY',
    'MODEL_HEADER_INVALID',
    'MODEL_HEADER_UNREADABLE',
    'RUNTIME_PROBE_FAILED',
    'LOCAL_RUNTIME_PROBE_MISCONFIGURED',
  ],
  handle: ({ params, query, services }) => services.localRuntimes.fit(params.modelId, query),
});

export const qualifyModel = operation({
  id: 'local-models.qualify',
  tag,
  summary: 'Run a measured generation, with consent',
  method: 'POST',
  path: '/local-models/{modelId}/qualify',
  params: modelParams,
  body: qualifyRequest,
  answer: json(qualifiedModel),
  errors: [
    'RUNTIME_NOT_AVAILABLE',
    'PROBE_CONSENT_REQUIRED',
    'FIT_INVALID',
    'MODEL_NOT_FOUND',
    'MODEL_NOT_READY',
    'MODEL_NOT_COMPATIBLE',
    'PROBE_GENERATION_FAILED',
    'PROBE_GENERATION_INCOMPLETE',
    'MODEL_FILE_UNREADABLE',
    'RUNTIME_PROBE_FAILED',
  ],
  handle: ({ params, body, services }) =>
    services.localRuntimes.qualify(params.modelId, { ...body, consent: body.consent }),
});

export const readCapacity = operation({
  id: 'model-lab.capacity',
  tag,
  summary: 'Capacity of this computer for models',
  method: 'GET',
  path: '/model-lab/capacity',
  answer: json(capacity),
  errors: ['REPORT_UNAVAILABLE'],
  handle: ({ services }) => services.localRuntimes.capacity(),
});
