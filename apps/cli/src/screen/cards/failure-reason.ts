import type { Say } from '../../words/index.ts';
import { factName } from '../requests/action-lines.ts';

/** Arguments of our tools as the wire names them. Only those that are no words of a program or a file name. */
const WIRE_NAMES =
  /\b(?:vecchio|nuovo|contenuto|percorso|comando|tutte|descrizione|secondi|sfondo|formato|titolo|righe|cartella|attrezzo|argomenti)\b/g;

/** What a failed call answered, with our arguments in the user's language. */
export function failureReason(content: string, say: Say): string {
  return content.replace(WIRE_NAMES, (name) => factName(name, say));
}
