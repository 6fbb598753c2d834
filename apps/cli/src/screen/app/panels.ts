import { rulesFor } from '../../permissions/saved-rules.ts';
import type { Input } from '../input/input.ts';
import type { ScreenPart } from '../part.ts';
import type { PanelNeeds } from '../requests/panel.ts';
import { createRequestPanel } from '../requests/request-panel.ts';
import type { OpenRequest } from '../workbench.ts';
import type { ScreenContext } from './stage.ts';

/** The card of the open request: the same object while the request is open. */
export interface Panels {
  panel(): ScreenPart<Input> | undefined;
}

export function createPanels(stage: ScreenContext): Panels {
  let shown: { request: OpenRequest; panel: ScreenPart<Input> } | undefined;
  return {
    panel() {
      const request = stage.conversation.request();
      // Kept while its answer is sent: if the answer is refused, the typed text is still there.
      if (!request) return undefined;
      if (shown?.request !== request) shown = { request, panel: createRequestPanel(request, needsOf(stage)) };
      return shown.panel;
    },
  };
}

function needsOf(stage: ScreenContext): PanelNeeds {
  const { terminal, ambient, keymap, highlighter, conversation, services } = stage;
  return {
    terminal,
    ambient,
    keymap,
    highlight: highlighter.highlight,
    isComposerEmpty: () => stage.composer.isEmpty(),
    changed: () => stage.app.changed(),
    page: (...shown) => stage.app.page(...shown),
    async respond(answer) {
      try {
        await conversation.respond(answer);
      } catch (error) {
        stage.tellFailure(error);
        throw error;
      }
    },
    rules: async (call) => rulesFor(await services.promise, call),
  };
}
