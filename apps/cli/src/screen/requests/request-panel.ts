import type { Input } from '../input/input.ts';
import type { Part } from '../part.ts';
import type { OpenRequest } from '../workbench.ts';
import { createApprovalPanel } from './approval-panel.ts';
import type { PanelNeeds } from './panel.ts';
import { createPlanPanel } from './plan-panel.ts';
import { createQuestionsPanel } from './questions-panel.ts';

/** The card of one request, from when it opens until it is answered. */
export function createRequestPanel(request: OpenRequest, needs: PanelNeeds): Part<Input> {
  switch (request.kind) {
    case 'approval':
      return createApprovalPanel(request, needs);
    case 'questions':
      return createQuestionsPanel(request, needs);
    case 'plan':
      return createPlanPanel(request, needs);
  }
}
