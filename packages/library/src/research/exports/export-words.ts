export type ExportLanguage = 'it' | 'en';
export type ExportTone = 'report' | 'brief' | 'dossier';

/** The few words that an export adds to what the report says. */
export const EXPORT_WORDS = {
  en: {
    contents: 'Contents',
    summary: 'Summary',
    sources: 'Sources',
    claims: 'Claims',
    columns: ['Claim', 'Verdict', 'Passage', 'Source'],
    counts: ['Claims', 'Supported', 'In part', 'Not supported', 'Contested', 'Not verified'],
    verdicts: { supported: 'supported', partial: 'in part', unsupported: 'not supported', contested: 'contested' },
    unverified: 'not verified',
    noChecks:
      'No checks: this report has no record that can be verified. None of its claims was compared with a source.',
  },
  it: {
    contents: 'Indice',
    summary: 'Sommario',
    sources: 'Fonti',
    claims: 'Affermazioni',
    columns: ['Affermazione', 'Giudizio', 'Passo', 'Fonte'],
    counts: ['Affermazioni', 'Sostenute', 'In parte', 'Non sostenute', 'Contese', 'Non verificate'],
    verdicts: { supported: 'sostenuta', partial: 'in parte', unsupported: 'non sostenuta', contested: 'contesa' },
    unverified: 'non verificata',
    noChecks:
      'Nessun controllo: questo rapporto non ha un registro verificabile. Nessuna sua affermazione è stata confrontata con una fonte.',
  },
} as const;
