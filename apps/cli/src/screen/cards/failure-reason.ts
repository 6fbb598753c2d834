import { argumentName } from '@fucina/conversation';
import { factName } from '../../action-facts.ts';
import type { Say } from '../../words/index.ts';

/** Wire names of our tools' arguments. Only those that cannot be ordinary words or file names. */
const ARGUMENTS =
  /\b(?:vecchio|nuovo|contenuto|percorso|comando|tutte|descrizione|secondi|sfondo|formato|titolo|righe|cartella|attrezzo|argomenti)\b|(?<=\()(?:nome|da)(?=[,)])/g;
const TOOLS = /\b(leggi|elenca|cerca|scrivi|prova)\b/g;

/** The result of a failed call, with our tools and their arguments in the user's language. */
export function failureReason(content: string, say: Say): string {
  return content
    .replace(ARGUMENTS, (name) => factName(argumentName(name), say))
    .replace(TOOLS, (name) => say(`tool-name.${name as ToolName}`));
}

type ToolName = 'leggi' | 'elenca' | 'cerca' | 'scrivi' | 'prova';
