/**
 * Families of models by their names, wherever they are served: hosts and aggregators write `vendor/name`, some with a
 * path. The first that fits applies.
 */
const FAMILIES: readonly (readonly [family: string, name: RegExp])[] = [
  ['claude', /claude/],
  ['gpt-oss', /gpt-oss/],
  ['gpt', /^(gpt|chatgpt|codex|o\d)/],
  ['gemini', /^gemini/],
  ['kimi', /kimi/],
  ['deepseek', /deepseek/],
  ['qwen', /^(qwen|qwq)/],
  ['glm', /^(glm|z-ai)/],
  ['minimax', /minimax/],
  ['grok', /^grok/],
  ['mistral', /(mistral|ministral|magistral|codestral|devstral|pixtral|mixtral)/],
];

/** What a model wrote in a vendor's own form goes back to models of its family only. */
export function modelFamily(model: string): string {
  const name = nameOf(model);
  return FAMILIES.find(([, pattern]) => pattern.test(name))?.[0] ?? name;
}

/** The same of a full id, `provider:model`. */
export const familyOfId = (id: string): string => modelFamily(id.replace(/^[^/:]+:/, ''));

/**
 * Models that want their reasoning on every message with calls, of all turns, and refuse a request without it: Kimi K2
 * and DeepSeek from V3.2 on. Others want it between the calls of a turn only.
 */
export function wantsReasoningOnEveryCall(model: string): boolean {
  const name = nameOf(model);
  return /kimi-(k[2-9]|thinking|latest)/.test(name) || /deepseek-(chat|reasoner|v3\.[2-9]|v[4-9])/.test(name);
}

function nameOf(model: string): string {
  return model.slice(model.lastIndexOf('/') + 1).toLowerCase();
}
