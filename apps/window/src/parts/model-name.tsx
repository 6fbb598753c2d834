import { AGENT_MODEL } from '../wire/model-id.ts';
import { useWords } from '../words/words.ts';

/** The display name of a model; without an id the default model. */
export function ModelName({ id }: { id: string | null | undefined }) {
  const { say } = useWords();
  if (id === AGENT_MODEL) return say('model.external');
  return id || say('model.default');
}
