export type ExportLanguage = 'it' | 'en';
export type ExportTone = 'report' | 'brief' | 'dossier';

/** The labels that an export adds to the report. */
export const EXPORT_WORDS = {
  en: {
    contents: 'Contents',
    summary: 'Summary',
    sources: 'Sources',
    claims: 'Claims',
    columns: ['Claim', 'Verdict', 'Passage', 'Source'],
    counts: ['Claims', 'Supported', 'Partly supported', 'Not supported', 'Disputed', 'Not checked'],
    verdicts: {
      supported: 'supported',
      partial: 'partly supported',
      unsupported: 'not supported',
      contested: 'disputed',
    },
    unverified: 'not checked',
    noChecks:
      'Not checked: this report has no verification record, so none of its claims were checked against a source.',
  },
  it: {
    contents: 'Indice',
    summary: 'Sommario',
    sources: 'Fonti',
    claims: 'Affermazioni',
    columns: ['Affermazione', 'Giudizio', 'Passo', 'Fonte'],
    counts: ['Affermazioni', 'Sostenute', 'Sostenute in parte', 'Non sostenute', 'Contese', 'Non verificate'],
    verdicts: {
      supported: 'sostenuta',
      partial: 'sostenuta in parte',
      unsupported: 'non sostenuta',
      contested: 'contesa',
    },
    unverified: 'non verificata',
    noChecks:
      'Non verificato: questo report non ha un registro delle verifiche, quindi nessuna affermazione è stata confrontata con una fonte.',
  },
} as const;
