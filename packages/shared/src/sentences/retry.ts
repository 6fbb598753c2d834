import { type Retry, retryCause } from '@fucina/conversation';
import type { Language } from './entry.ts';

/** A call of the model that is made again after a wait. */
export interface RetryFacts {
  /** Of the failure, as `svc.provider-retry` has it. */
  httpStatus: number;
  /** The try about to be made. */
  attempt: number;
  maxTries: number;
  seconds: number;
}

const CAUSES: Record<Retry['cause'], Record<Language, string>> = {
  busy: { it: 'Il provider è occupato.', en: 'The provider is busy.' },
  late: { it: 'Nessuna risposta in tempo.', en: 'No answer came in time.' },
  failed: { it: 'Errore del provider o della connessione.', en: 'The provider or the connection failed.' },
};

/** The line for clients that show text only. */
export function retryWords({ httpStatus, attempt, maxTries, seconds }: RetryFacts, language: Language): string {
  const why = CAUSES[retryCause(httpStatus)][language];
  return language === 'it'
    ? `${why} Tentativo ${attempt} di ${maxTries} tra ${seconds} s.`
    : `${why} Try ${attempt} of ${maxTries} in ${seconds} s.`;
}
