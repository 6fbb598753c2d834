import { REASONING_EFFORTS, type ReasoningChoice } from '@fucina/shared';

export type Effort = NonNullable<ReasoningChoice['effort']>;

/**
 * How the reasoning level is sent to a provider. `field` is the request field; `levels` lists the supported levels per
 * model: the first matching pattern applies, `*` matches all. An unsupported level is sent as the nearest supported one
 * below it, else the lowest; without a list nothing is sent.
 */
export interface ReasoningProfile {
  field: 'effort' | 'nested-effort' | 'thinking' | 'enable-thinking' | 'anthropic' | 'responses' | 'gemini' | 'none';
  levels: readonly ReasoningLevels[];
}

interface ReasoningLevels {
  /** Model name, a name ending in `*` for a family, or `*` for all. */
  models: string;
  /** Weakest first. */
  efforts: readonly Effort[];
}

export const NO_REASONING: ReasoningProfile = { field: 'none', levels: [] };

/** Weakest first. */
const ORDER: readonly Effort[] = [...REASONING_EFFORTS].reverse();

/** The value sent for the requested level: null when the model has no such option. */
export function effortSent(profile: ReasoningProfile, model: string, asked: Effort): Effort | null {
  return nearest(effortsOf(profile, model), asked);
}

/** The levels that a model takes, weakest first. */
export function effortsOf({ levels }: ReasoningProfile, model: string): readonly Effort[] {
  return levels.find(({ models }) => fits(models, model))?.efforts ?? [];
}

/** Requested level → sent level, for the window. */
export function effortMap(efforts: readonly Effort[]): Record<Effort, Effort | null> {
  const entries = REASONING_EFFORTS.map((asked) => [asked, nearest(efforts, asked)] as const);
  return Object.fromEntries(entries) as Record<Effort, Effort | null>;
}

function nearest(efforts: readonly Effort[], asked: Effort): Effort | null {
  const wanted = ORDER.indexOf(asked);
  return efforts.findLast((effort) => ORDER.indexOf(effort) <= wanted) ?? efforts[0] ?? null;
}

/** `~` and a vendor before the name do not change the family. */
function fits(pattern: string, model: string): boolean {
  if (pattern === '*') return true;
  const name = model.replace(/^~/, '');
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** The form of each field in a chat-completions body; the other wires have their own. */
const CHAT_FIELDS: Partial<Record<ReasoningProfile['field'], (sent: Effort) => Record<string, unknown>>> = {
  effort: (sent) => ({ reasoning_effort: sent }),
  'nested-effort': (sent) => ({ reasoning: { effort: sent } }),
  thinking: (sent) => ({ thinking: { type: sent === 'none' ? 'disabled' : 'enabled' } }),
  'enable-thinking': (sent) => ({ enable_thinking: sent !== 'none' }),
};

/** The fields of a chat-completions body for the level. */
export function chatReasoning(
  profile: ReasoningProfile,
  model: string,
  choice: ReasoningChoice | undefined,
): Record<string, unknown> {
  const sent = choice?.effort && effortSent(profile, model, choice.effort);
  return (sent && CHAT_FIELDS[profile.field]?.(sent)) || {};
}
