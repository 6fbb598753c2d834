import type { ToolSpec } from '@fucina/shared';
import { estimateTokenCount } from 'tokenx';

const known = new WeakMap<ToolSpec, number>();

/** Estimated tokens of one tool in every request: its name, description and schema. */
export function toolTokens(spec: ToolSpec): number {
  const tokens = known.get(spec) ?? estimateTokenCount(JSON.stringify(spec));
  known.set(spec, tokens);
  return tokens;
}
