import { items, json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { download, downloadManifest, downloadParams, manifestRefusals } from '../../wire/local-model.ts';

const tag = 'Local models';
const errors = ['RUNTIME_NOT_AVAILABLE'] as const;

export const listDownloads = operation({
  id: 'hub.downloads',
  tag,
  summary: 'Downloads of models, oldest first',
  method: 'GET',
  path: '/hub/downloads',
  answer: items(download),
  errors,
  handle: ({ services }) => services.localModels.downloads.list(),
});

export const startDownload = operation({
  id: 'hub.download',
  tag,
  summary: 'Download a model; two downloads run at a time, in request order',
  method: 'POST',
  path: '/hub/download',
  body: downloadManifest,
  bodyLimit: 1_000_000,
  refusals: manifestRefusals,
  answer: json(download),
  errors: [...errors, 'HUB_TRANSFER_INVALID', 'HUB_TRANSFER_COLLISION', 'HUB_PATH_REJECTED', 'HUB_DOWNLOAD_FAILED'],
  handle: ({ body, services }) => services.localModels.downloads.start(body),
});

export const pauseDownload = operation({
  id: 'hub.pause',
  tag,
  summary: 'Pause a download',
  method: 'POST',
  path: '/hub/downloads/{downloadId}/pause',
  params: downloadParams,
  answer: json(download),
  errors: [...errors, 'CANCELLED_BY_OWNER'],
  handle: ({ params, services }) => services.localModels.downloads.pause(params.downloadId),
});

export const resumeDownload = operation({
  id: 'hub.resume',
  tag,
  summary: 'Resume a paused or failed download',
  method: 'POST',
  path: '/hub/downloads/{downloadId}/resume',
  params: downloadParams,
  answer: json(download),
  errors: [...errors, 'CANCELLED_BY_OWNER'],
  handle: ({ params, services }) => services.localModels.downloads.resume(params.downloadId),
});

export const cancelDownload = operation({
  id: 'hub.cancel',
  makesRoom: true,
  tag,
  summary: 'Cancel a download and delete its partial files',
  method: 'POST',
  path: '/hub/downloads/{downloadId}/cancel',
  params: downloadParams,
  answer: json(download),
  errors,
  handle: ({ params, services }) => services.localModels.downloads.cancel(params.downloadId),
});
