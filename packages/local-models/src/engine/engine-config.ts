/** What the engine's process is told on the first line of its standard input. Its end is the end of the process. */
export interface EngineConfig {
  /** Every request must carry it. */
  key: string;
  modelId: string;
  /** Absolute. */
  modelPath: string;
  contextTokens: number;
  /** Null: one for each physical core. */
  threads: number | null;
}

/** The lines it prints: first where it listens, then, should the model not load, why. */
export type EngineReport = { port: number } | { problem: EngineProblem };

export type EngineProblem = 'library' | 'file' | 'memory';

/** What `GET /props` answers, in the words of llama-server. */
export interface EngineProps {
  build_info: string;
  default_generation_settings: { n_ctx: number };
}
