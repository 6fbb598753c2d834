/** Our own engine, and external programs that run models on this computer or its network. */
export const RUNTIME_IDS = ['llama.cpp', 'ollama', 'lmstudio'] as const;
export type RuntimeId = (typeof RUNTIME_IDS)[number];

/** A model as an engine lists it. */
export interface RuntimeModel {
  modelId: string;
  name: string | null;
  isLoaded: boolean;
  /** Of the loaded model, in tokens. */
  contextTokens: number | null;
  sizeBytes: number | null;
}

export interface RuntimeView {
  runtimeId: RuntimeId;
  /** `observed`: it responds, or it is ours and can be started. */
  state: 'observed' | 'unavailable';
  /** For our own engine the state of its process, for others whether a model is loaded. */
  runtimeState: string;
  models: RuntimeModel[];
  /** Error code when the models could not be listed. */
  modelsError: string | null;
  /** Why it is unavailable, or a notice. */
  reason: string | null;
  /** From 0 to 1 while a model loads. */
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
  /** A notice about something that the user did not choose: `gpu-not-used`. */
  note: string | null;
  observedAt: number;
}

export interface UnloadedModel {
  runtimeId: RuntimeId;
  modelId: string | null;
  state: 'unloaded';
  observedAt: number;
}
