/** Something that could be meant. */
export interface Candidate {
  /** What takes the place of what was typed. */
  text: string;
  label: string;
  detail?: string | undefined;
  /** Nothing needs to follow: choosing it with Enter sends it. */
  isWhole?: boolean | undefined;
}
