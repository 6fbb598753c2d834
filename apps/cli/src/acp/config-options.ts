import type { SessionConfigOption, SessionConfigSelectOption } from '@agentclientprotocol/sdk';
import type { Services } from '@fucina/host';
import { type Ambient, REASONING_EFFORTS, type ReasoningChoice } from '@fucina/shared';
import { choiceOf } from '../model-choice.ts';
import type { Say } from '../words/index.ts';
import { type ModeSettings, modeId, modeState } from './modes.ts';

/** The session options that an editor shows. */
export interface EditorChoices extends ModeSettings {
  model: string | undefined;
  effort: ReasoningChoice['effort'] | undefined;
}

export interface ConfigOptions {
  /** `later` is called with the whole list once the providers have listed their models, if that takes long. */
  of(choices: EditorChoices, later?: (options: SessionConfigOption[]) => void): Promise<SessionConfigOption[]>;
}

export interface ConfigOptionsNeeds {
  services: Services;
  ambient: Ambient;
  say: Say;
}

/** How long opening a session may wait for lists of models. */
const MODELS_MS = 1_500;
const MOST_MODELS = 1_000;
export const DEFAULT_EFFORT = 'default';

export function createConfigOptions({ services, ambient, say }: ConfigOptionsNeeds): ConfigOptions {
  const listModels = async (): Promise<string[]> => {
    const { models } = await services.providers.catalog.listAll();
    return models.slice(0, MOST_MODELS).map(choiceOf);
  };
  const options = (choices: EditorChoices, models: readonly string[]): SessionConfigOption[] => [
    modelOption(choices, models, say),
    effortOption(choices, say),
    modeOption(choices, say),
  ];
  return {
    async of(choices, later) {
      const listed = listModels().catch((error: unknown) => {
        ambient.log.warn('acp.models', { error });
        return [];
      });
      const late = new AbortController();
      const waited = ambient.sleep(MODELS_MS, late.signal).catch(() => undefined); // the list came first
      const soon = await Promise.race([listed, waited]);
      late.abort();
      if (!soon) void listed.then((models) => later?.(options(choices, models)));
      return options(choices, soon || []);
    },
  };
}

function modelOption({ model }: EditorChoices, models: readonly string[], say: Say): SessionConfigOption {
  const names = model === undefined || models.includes(model) ? models : [model, ...models];
  const none = model === undefined ? [{ value: '', name: say('acp.no-model') }] : [];
  return {
    type: 'select',
    id: 'model',
    category: 'model',
    name: say('acp.model'),
    currentValue: model ?? '',
    options: [...none, ...names.map((value) => ({ value, name: value }))],
  };
}

function effortOption({ effort }: EditorChoices, say: Say): SessionConfigOption {
  const usual: SessionConfigSelectOption = { value: DEFAULT_EFFORT, name: say('acp.effort-default') };
  return {
    type: 'select',
    id: 'effort',
    category: 'thought_level',
    name: say('acp.effort'),
    currentValue: effort ?? DEFAULT_EFFORT,
    options: [usual, ...REASONING_EFFORTS.map((value) => ({ value, name: value }))],
  };
}

function modeOption(choices: EditorChoices, say: Say): SessionConfigOption {
  const { currentModeId, availableModes } = modeState(modeId(choices), say);
  const options = availableModes.map(({ id, name, description }) => ({ value: id, name, description }));
  return { type: 'select', id: 'mode', category: 'mode', name: say('acp.mode'), currentValue: currentModeId, options };
}

/** Undefined for an unknown option. */
export function settingsChangeOf(configId: string, value: unknown, mode: (id: string) => ModeSettings | undefined) {
  if (typeof value !== 'string') return undefined;
  if (configId === 'mode') return mode(value);
  if (configId === 'model') return value === '' ? undefined : { model: value };
  if (configId !== 'effort') return undefined;
  if (value === DEFAULT_EFFORT) return { effort: undefined };
  const effort = REASONING_EFFORTS.find((one) => one === value);
  return effort && { effort };
}
