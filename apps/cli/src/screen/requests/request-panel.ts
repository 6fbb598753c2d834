import type { Input } from '../input/input.ts';
import type { Part } from '../part.ts';
import type { OpenRequest } from '../workbench.ts';
import { createAddressPanel } from './address-panel.ts';
import { createApprovalPanel } from './approval-panel.ts';
import { createFormPanel } from './form-panel.ts';
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
    case 'elicitation':
      return request.url === undefined ? createFormPanel(request, needs) : createAddressPanel(request, needs);
  }
}
