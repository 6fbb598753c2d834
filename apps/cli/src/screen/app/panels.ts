import type { Input } from '../input/input.ts';
import type { Part } from '../part.ts';
import type { Stage } from './stage.ts';

/** The card of the open request: the same one for as long as the request is. */
export interface Panels {
  panel(): Part<Input> | undefined;
}

export function createPanels(_stage: Stage): Panels {
  return { panel: () => undefined };
}
