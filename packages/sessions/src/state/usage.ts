import type { UsageState } from '@fucina/shared';

export interface UsageTotal {
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number | null;
  /** Model calls. */
  steps: number;
  /** Turns with measured usage, and how many of those reported cached tokens. */
  runs: number;
  runsWithCache: number;
}

const EMPTY_TOTAL: UsageTotal = {
  promptTokens: 0,
  completionTokens: 0,
  cachedTokens: null,
  steps: 0,
  runs: 0,
  runsWithCache: 0,
};

/** The usage of the turn in progress and of the whole conversation. */
export interface UsageFold {
  usage: UsageState | null;
  total: UsageTotal | null;
}

/** Pure. `usage` is cumulative for the turn, so only its growth is added to the total. */
export function addUsage(fold: UsageFold, usage: UsageState): UsageFold {
  const before = fold.usage;
  const total = fold.total ?? EMPTY_TOTAL;
  const cachedStep = usage.cached_tokens === null ? null : usage.cached_tokens - (before?.cached_tokens ?? 0);
  return {
    usage,
    total: {
      promptTokens: total.promptTokens + usage.prompt_tokens - (before?.prompt_tokens ?? 0),
      completionTokens: total.completionTokens + usage.completion_tokens - (before?.completion_tokens ?? 0),
      cachedTokens: cachedStep === null ? total.cachedTokens : (total.cachedTokens ?? 0) + cachedStep,
      steps: total.steps + usage.giri - (before?.giri ?? 0),
      runs: total.runs + (before ? 0 : 1),
      runsWithCache:
        total.runsWithCache + (usage.cached_tokens !== null && (before?.cached_tokens ?? null) === null ? 1 : 0),
    },
  };
}
