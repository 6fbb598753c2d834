import type { ErrorCode } from '../codes.ts';
import type { Entry, Language } from './index.ts';

/** Sentences of one reason of a code, where they say more than those of the code. */
export const REASONS: Partial<Record<ErrorCode, Readonly<Record<string, Record<Language, Entry>>>>> = {
  MODEL_ID_INVALID: {
    'no-default-model': {
      en: [
        'No default model',
        'No model was chosen and no default model is set.',
        'Choose a model, add a provider under Settings → Providers, or set FUCINA_MODEL to provider:model.',
      ],
      it: [
        'Nessun modello predefinito',
        'Non è stato scelto un modello e non c’è un modello predefinito.',
        'Scegli un modello, aggiungi un provider in Impostazioni → Provider o imposta FUCINA_MODEL su provider:modello.',
      ],
    },
  },
};
