/**
 * Configuration of the engine process: the first line of its standard input. The process ends when that stream ends.
 */
export interface EngineConfig {
  /** Every request must carry it. */
  key: string;
  modelId: string;
  /** URL of the library that runs the model; null for a program of the user. */
  library: string | null;
  /** Absolute. */
  modelPath: string;
  contextTokens: number;
  /** Null: one per physical core. */
  threads: number | null;
}

/** The lines that it prints: first its port; if the model fails to load, the reason. */
export type EngineReport = { port: number } | { problem: EngineProblem };

export type EngineProblem = 'library' | 'file' | 'memory';

/** The answer of `GET /props`, in llama-server's format. */
export interface EngineProps {
  build_info: string;
  default_generation_settings: { n_ctx: number };
}
