export type { DownloadStatus } from './downloads/downloads.ts';
export type { DownloadManifest } from './downloads/manifest.ts';
export type { Capacity } from './fit/capacity.ts';
export type { FitAnswer, FitRequest, Inspection, ModelFact, ModelFit } from './fit/fit.ts';
export type { Qualified } from './fit/qualify.ts';
export type { HubRepository } from './hub/repository.ts';
export type { HubModel } from './hub/search.ts';
export type { ImportRequest } from './installed/import.ts';
export {
  createLibraryInstaller,
  type LibraryInstallation,
  type LibraryInstaller,
  type LibraryInstallerNeeds,
} from './library/library-installer.ts';
export { createLocalModels, type LocalModels, type LocalModelsNeeds } from './local-models.ts';
export type { InstalledModels, ModelFile, ModelRecord, ModelState } from './model-record.ts';
export type { ExternalAddress } from './runtimes/external-runtime.ts';
export { createLocalRuntimes, type LocalRuntimes, type LocalRuntimesNeeds } from './runtimes/local-runtimes.ts';
export type { LoadedModel, LoadRequest, RuntimeView, UnloadedModel } from './runtimes/runtime.ts';
