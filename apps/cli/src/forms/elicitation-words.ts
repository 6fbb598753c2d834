import { cleanLine } from '../clean-text.ts';
import type { Say } from '../words/index.ts';
import type { Elicitation } from './elicitation.ts';

const NAME_WIDTH = 60;

export function elicitationTitle({ server, sampling }: Elicitation, say: Say): string {
  return say(sampling ? 'form.model-title' : 'form.title', { server: cleanLine(server, NAME_WIDTH) });
}

export function elicitationWarning({ sampling }: Elicitation, say: Say): string {
  if (!sampling) return say('form.warning');
  return say('form.model-warning', { model: cleanLine(sampling.model, NAME_WIDTH), tokens: sampling.maxTokens });
}
