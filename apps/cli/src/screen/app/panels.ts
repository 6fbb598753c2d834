import { rulesFor } from '../../permissions/standing-rules.ts';
import type { Input } from '../input/input.ts';
import type { Part } from '../part.ts';
import { createRequestPanel } from '../requests/request-panel.ts';
import type { OpenRequest } from '../workbench.ts';
import type { Stage } from './stage.ts';

/** The card of the open request: the same one for as long as the request is. */
export interface Panels {
  panel(): Part<Input> | undefined;
}

export function createPanels(stage: Stage): Panels {
  let open: { requestId: string; panel: Part<Input> } | undefined;
  return {
    panel() {
      const request = stage.conversation.request();
      if (!request) open = undefined;
      else if (open?.requestId !== request.requestId) {
        open = { requestId: request.requestId, panel: panelOf(request, stage) };
      }
      return open?.panel;
    },
  };
}

function panelOf(request: OpenRequest, stage: Stage): Part<Input> {
  const { terminal, ambient, keymap, conversation, services } = stage;
  return createRequestPanel(request, {
    terminal,
    ambient,
    keymap,
    highlight: stage.highlighter.highlight,
    isComposerEmpty: () => stage.composer.isEmpty(),
    changed: () => stage.app.changed(),
    page: (title, lines) => stage.app.page(title, lines),
    rules: async (call) => rulesFor(await services.promise, call),
    async respond(answer) {
      try {
        await conversation.respond(answer);
      } catch (error) {
        stage.tellFailure(error);
        throw error;
      }
    },
  });
}
