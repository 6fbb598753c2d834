/** A completion candidate. */
export interface Candidate {
  /** Replaces the typed text. */
  text: string;
  label: string;
  detail?: string | undefined;
  /** It needs no argument: choosing it with Enter sends it. */
  isWhole?: boolean | undefined;
}
