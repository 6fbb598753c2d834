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

type Cause = 'busy' | 'late' | 'failed';

const CAUSES: Record<Cause, Record<Language, string>> = {
  busy: { it: 'Il provider è occupato.', en: 'The provider is busy.' },
  late: { it: 'Nessuna risposta in tempo.', en: 'No answer came in time.' },
  failed: { it: 'Errore del provider o della connessione.', en: 'The provider or the connection failed.' },
};

/** The line for clients that show text only. */
export function retryWords({ httpStatus, attempt, maxTries, seconds }: RetryFacts, language: Language): string {
  const why = CAUSES[causeOf(httpStatus)][language];
  return language === 'it'
    ? `${why} Tentativo ${attempt} di ${maxTries} tra ${seconds} s.`
    : `${why} Try ${attempt} of ${maxTries} in ${seconds} s.`;
}

function causeOf(httpStatus: number): Cause {
  if (httpStatus === 429 || httpStatus === 529) return 'busy';
  return httpStatus === 408 ? 'late' : 'failed';
}
