/** Our own engine, and programs of others that run models on this computer or near it. */
export const RUNTIME_IDS = ['llama.cpp', 'ollama', 'lmstudio'] as const;
export type RuntimeId = (typeof RUNTIME_IDS)[number];

/** A model as an engine has it. */
export interface RuntimeModel {
  modelId: string;
  name: string | null;
  isLoaded: boolean;
  /** Of the loaded one, in tokens. */
  contextTokens: number | null;
  sizeBytes: number | null;
}

export interface RuntimeView {
  runtimeId: RuntimeId;
  /** `observed`: it answers, or it is ours and can be started. */
  state: 'observed' | 'unavailable';
  /** Of our own engine the state of its process, of others whether they hold a model. */
  runtimeState: string;
  models: RuntimeModel[];
  /** The code of why the models could not be listed. */
  modelsError: string | null;
  /** Why it is not there, or what is worth knowing. */
  reason: string | null;
  /** From 0 to 1 while a model is read into memory. */
  progress: number | null;
  /** Wall time in ms. */
  observedAt: number;
}

export interface LoadRequest {
  runtimeId: string;
  modelId: string;
  contextTokens?: number;
}

export interface LoadedModel {
  runtimeId: RuntimeId;
  modelId: string;
  state: 'loaded';
  contextTokens: number | null;
  /** What was not chosen by the user: `gpu-not-used`. */
  note: string | null;
  observedAt: number;
}

export interface UnloadedModel {
  runtimeId: RuntimeId;
  modelId: string | null;
  state: 'unloaded';
  observedAt: number;
}
