import { cleanLine } from '../../clean-text.ts';
import type { Input } from '../input/input.ts';
import type { Line } from '../line.ts';
import type { ScreenPart } from '../part.ts';
import { cutLine, textSpan } from '../render/wrap.ts';
import type { OpenRequest } from '../workbench.ts';
import { createAddressPanel } from './address-panel.ts';
import { createApprovalPanel } from './approval-panel.ts';
import { createFormPanel } from './form-panel.ts';
import type { PanelNeeds } from './panel.ts';
import { createPlanPanel } from './plan-panel.ts';
import { createQuestionsPanel } from './questions-panel.ts';

/** The card of one request while it is open; its heading names the sub-agent that asks. */
export function createRequestPanel(request: OpenRequest, needs: PanelNeeds): ScreenPart<Input> {
  const panel = panelOf(request, needs);
  if (request.agentTask === undefined) return panel;
  const task = cleanLine(request.agentTask, TASK_WIDTH);
  const line: Line = [textSpan(needs.terminal.say('ask.agent', { task }), { token: 'muted' })];
  return {
    ...panel,
    draw({ width, height }) {
      if (height < MIN_BODY_LINES) return panel.draw({ width, height });
      const { lines, cursor } = panel.draw({ width, height: height - 1 });
      return { lines: [cutLine(line, width), ...lines], cursor: cursor && { ...cursor, row: cursor.row + 1 } };
    },
  };
}

const TASK_WIDTH = 200;
/** With fewer rows the answers need them. */
const MIN_BODY_LINES = 8;

function panelOf(request: OpenRequest, needs: PanelNeeds): ScreenPart<Input> {
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
