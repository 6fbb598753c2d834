import { AGENT_MODEL } from '../wire/model-id.ts';
import { useWords } from '../words/words.ts';

/** How a model is called on screen; without an id it is the default one. */
export function ModelName({ id }: { id: string | null | undefined }) {
  const { say } = useWords();
  if (id === AGENT_MODEL) return say('model.external');
  return id || say('model.default');
}
