import type { InstructionSource, LeftOutReason } from '../context/instruction-source.ts';
import type { SessionRecord } from '../store/store.ts';

const MAX_ROWS = 50;

type Pair = readonly [italian: string, english: string];

const STATES: Record<Exclude<InstructionSource['state'], 'left-out'>, Pair> = {
  sent: ['inviato', 'sent'],
  truncated: ['troncato', 'truncated'],
  listed: ['elencato', 'listed'],
  offered: ['offerto come sotto-agente', 'offered as a sub-agent'],
};

const REASONS: Record<LeftOutReason, Pair> = {
  replaced: ['escluso: al suo posto c’è AGENTS.md', 'left out: AGENTS.md is used instead'],
  'same-text': ['escluso: testo già inviato', 'left out: same text as another file'],
  limit: ['escluso: oltre il limite', 'left out: over the limit'],
  empty: ['escluso: vuoto', 'left out: empty'],
  'not-text': ['escluso: non è testo', 'left out: not text'],
  outside: ['escluso: link fuori dalla cartella', 'left out: link out of the folder'],
  'not-readable': ['escluso: non leggibile', 'left out: cannot be read'],
  'too-long': ['escluso: più di 64 KiB', 'left out: over 64 KiB'],
  'same-name': ['escluso: nome già usato', 'left out: same name as another agent'],
  'invalid-name': ['escluso: nome non valido', 'left out: invalid name'],
  'no-description': ['escluso: senza descrizione', 'left out: no description'],
  'no-end': ['escluso: dopo le intestazioni manca una riga di ---', 'left out: no line of --- ends the front matter'],
  'on-request': ['escluso: solo se lo indichi', 'left out: only when you name it'],
  'too-many': ['escluso: troppi file', 'left out: too many files'],
};

/** The files with instructions as a list, in the language of the session; empty without any. */
export function instructionRows({ settings }: SessionRecord, sources: readonly InstructionSource[]): string[] {
  if (sources.length === 0) return [];
  const inLanguage = ([italian, english]: Pair): string => (settings.language === 'en' ? english : italian);
  const unknown = (tools: readonly string[]): string =>
    tools.length ? `, ${inLanguage(['senza', 'without'])} ${tools.join(', ').replaceAll('`', "'")}` : '';
  const rows = sources.slice(0, MAX_ROWS).map(({ path, sizeBytes, state, reason, place, ignored }) => {
    const what = state === 'left-out' ? REASONS[reason ?? 'not-readable'] : STATES[state];
    const at = place ? `:${place.line}:${place.column}` : '';
    return `- \`${path.replaceAll('`', "'")}${at}\` ${sizeBytes > 0 ? `(${sizeBytes} byte) ` : ''}${inLanguage(what)}${unknown(ignored)}`;
  });
  const rest = sources.length - rows.length;
  return [
    `\n${inLanguage(['Istruzioni del progetto, per precedenza:', 'Project instructions, by precedence:'])}`,
    ...rows,
    ...(rest > 0 ? [inLanguage([`- e altri ${rest}`, `- and ${rest} more`])] : []),
  ];
}
