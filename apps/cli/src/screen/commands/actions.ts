import type { Action } from '../input/keymap.ts';
import { pickModel } from '../pickers/model-picker.ts';
import { pickProvider } from '../pickers/provider-picker.ts';
import { sentenceOf } from '../pickers/sentence.ts';
import type { Workbench } from '../workbench.ts';
import { cyclePermissions } from './permission-modes.ts';

const ACTS: Partial<Record<Action, (workbench: Workbench) => void | Promise<void>>> = {
  'permission-mode': cyclePermissions,
  'model-picker': (workbench) => pickModel(workbench),
  'provider-picker': pickProvider,
};

/** Keys that act like a slash command. False: none of these. Reports its own failures. */
export function actOnWorkbench(action: Action, opened: Promise<Workbench>): boolean {
  const act = ACTS[action];
  if (!act) return false;
  void opened.then(async (workbench) => {
    try {
      await act(workbench);
    } catch (error) {
      workbench.tell({ tone: 'danger', body: sentenceOf(error, workbench.terminal) });
    }
  });
  return true;
}
