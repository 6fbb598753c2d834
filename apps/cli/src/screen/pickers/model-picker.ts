import type { ModelRow } from '@fucina/host';
import { changeKey, withSettingsLock } from '../../config/edit-file.ts';
import { settingsPaths } from '../../config/settings-paths.ts';
import { choiceOf } from '../../model-choice.ts';
import type { Say } from '../../words/index.ts';
import { shortCount } from '../cards/card.ts';
import { UsageProblem } from '../commands/command.ts';
import type { PickerRow, Workbench } from '../workbench.ts';

/** Every available model; only of one provider if given. */
export function pickModel(workbench: Workbench, provider?: string): void {
  const { terminal, pick } = workbench;
  pick({
    title: terminal.say('picker.model'),
    rows: modelRows(workbench, provider),
    choose: (model) => chooseModel(model, workbench),
  });
}

export async function modelRows(workbench: Workbench, provider?: string): Promise<PickerRow<string>[]> {
  const { services, terminal, conversation } = workbench;
  const { models } = await services.providers.catalog.listAll();
  const current = conversation.choice().model;
  return models
    .filter((row) => provider === undefined || row.provider === provider)
    .map((row) => {
      const value = choiceOf(row);
      return { value, label: value, detail: factsOf(row, terminal.say), isCurrent: value === current };
    });
}

/** Also accepts a valid model id that no list shows. Throws UsageProblem. */
export async function nameModel(model: string, workbench: Workbench): Promise<void> {
  const providers = await workbench.services.providers.registry.list();
  const isOfProvider = providers.some(({ id }) => model.startsWith(`${id}:`) && model.length > id.length + 1);
  if (/\s/.test(model) || !(isOfProvider || VENDOR_NAME.test(model))) throw new UsageProblem();
  await chooseModel(model, workbench);
}

/** The aggregator's form. */
const VENDOR_NAME = /^~?[\w.-]+\/[\w.:-]+$/;

/** Applies to this conversation, and is stored for this folder. */
async function chooseModel(model: string, { terminal, conversation, dir, tell }: Workbench): Promise<void> {
  const { io, say } = terminal;
  await conversation.change({ model });
  const place = settingsPaths(io, dir).find(({ scope }) => scope === 'project-user');
  if (place) await withSettingsLock(io, () => changeKey(place, 'model', model));
  tell({ tone: 'success', body: say('model.chosen', { model }) });
}

function factsOf({ contextLength, price, provider }: ModelRow, say: Say): string {
  const isHere = provider === 'local' || price?.promptPerMillion === 0;
  return [
    ...(contextLength === null ? [] : [say('models.tokens', { count: shortCount(contextLength) })]),
    ...(price && !isHere
      ? [
          say('model.price', {
            prompt: dollars(price.promptPerMillion),
            completion: dollars(price.completionPerMillion),
          }),
        ]
      : []),
  ].join(' · ');
}

function dollars(value: number): string {
  return `$${value < 1 ? value.toFixed(2) : Number(value.toFixed(2))}`;
}
