import * as z from 'zod';
import { items, json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { byteStream } from '../../http/upload.ts';
import { importHeaders, installedModel, modelParams } from '../../wire/local-model.ts';

const tag = 'Local models';
const errors = ['RUNTIME_NOT_AVAILABLE'] as const;

export const listInstalledModels = operation({
  id: 'local-models.list',
  tag,
  summary: 'Models on this computer, oldest first',
  method: 'GET',
  path: '/local-models',
  answer: items(installedModel),
  errors,
  handle: ({ services }) => services.localModels.installed.list(),
});

export const importModel = operation({
  id: 'local-models.import',
  tag,
  summary: 'Import a GGUF file, as a stream',
  method: 'POST',
  path: '/local-models/import',
  requestHeaders: importHeaders,
  requiredHeaders: ['x-svc-model-id', 'x-svc-model-filename', 'x-svc-model-bytes'],
  body: byteStream,
  answer: json(installedModel),
  errors: [
    ...errors,
    'LOCAL_IMPORT_INVALID',
    'LOCAL_IMPORT_TOO_LARGE',
    'LOCAL_IMPORT_SIZE_MISMATCH',
    'LOCAL_IMPORT_EMPTY',
    'LOCAL_IMPORT_NOT_GGUF',
    'HUB_TRANSFER_COLLISION',
  ],
  handle: ({ asked, body, services }) =>
    services.localModels.installed.import({
      id: asked['x-svc-model-id'],
      fileName: asked['x-svc-model-filename'],
      bytes: asked['x-svc-model-bytes'],
      name: asked['x-svc-model-name'],
      content: body,
    }),
});

export const renameModel = operation({
  id: 'local-models.rename',
  tag,
  summary: 'Rename a model',
  method: 'POST',
  path: '/local-models/{modelId}/rename',
  params: modelParams,
  body: z.strictObject({ name: z.string().min(1).max(160) }),
  answer: json(installedModel),
  errors,
  handle: ({ params, body, services }) => services.localModels.installed.rename(params.modelId, body.name),
});

export const copyModelPath = operation({
  id: 'local-models.copy-path',
  tag,
  summary: 'Path of a model on this computer',
  method: 'POST',
  path: '/local-models/{modelId}/copy-path',
  params: modelParams,
  answer: json(z.object({ id: z.string(), path: z.string() })),
  errors,
  handle: ({ params, services }) => services.localModels.installed.placeOf(params.modelId),
});

export const deleteModel = operation({
  id: 'local-models.delete',
  makesRoom: true,
  tag,
  summary: 'Delete a model with its files',
  method: 'POST',
  path: '/local-models/{modelId}/delete',
  params: modelParams,
  answer: json(z.object({ id: z.string(), deleted: z.literal(true) })),
  errors: [...errors, 'RUNTIME_ALREADY_RUNNING'],
  handle: ({ params, services }) => services.localModels.installed.remove(params.modelId),
});
