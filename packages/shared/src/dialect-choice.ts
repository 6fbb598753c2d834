import { AppError } from './errors.ts';
import { familyOfId } from './model-family.ts';

/** The words in which a family of models knows the tools of an agent. */
export const DIALECTS = ['claude', 'gpt', 'default'] as const;
export type DialectName = (typeof DIALECTS)[number];

/** The user's choice: one for all models, and for single ones, by their ids. */
export interface DialectChoice {
  all?: DialectName;
  models: ReadonlyMap<string, DialectName>;
}

/**
 * Reads `gpt`, `openai:gpt-5=default` or several of these, separated by commas. Throws CONFIG_INVALID for a dialect that
 * does not exist.
 */
export function readDialectChoice(text: string): DialectChoice {
  const models = new Map<string, DialectName>();
  let all: DialectName | undefined;
  for (const part of text.split(',').map((one) => one.trim())) {
    if (!part) continue;
    const at = part.lastIndexOf('=');
    const name = dialectNamed(part.slice(at + 1).trim());
    if (at === -1) all = name;
    else models.set(part.slice(0, at).trim(), name);
  }
  return { models, ...(all && { all }) };
}

/** The dialect of a model, and why: the user's choice, else its family. */
export function dialectFor(model: string, choice?: DialectChoice): { name: DialectName; from: 'settings' | 'family' } {
  const chosen = choice?.models.get(model) ?? choice?.all;
  if (chosen) return { name: chosen, from: 'settings' };
  const family = familyOfId(model);
  const name = family === 'claude' ? 'claude' : family === 'gpt' || family === 'gpt-oss' ? 'gpt' : 'default';
  return { name, from: 'family' };
}

function dialectNamed(name: string): DialectName {
  const found = DIALECTS.find((one) => one === name);
  if (found) return found;
  const setting = `dialects (there is no dialect "${name}"; one of ${DIALECTS.join(', ')})`;
  throw new AppError('CONFIG_INVALID', { params: { setting } });
}
