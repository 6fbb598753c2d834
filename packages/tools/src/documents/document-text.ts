/** A document as text for the model. */
export interface DocumentText {
  /** In English, for the model: `PDF document`. */
  kind: string;
  /** Its pages, sheets or slides; a single one without a title if the format has none. */
  pages: { title: string | null; text: string }[];
  /** What was omitted, and how to read it. */
  notes: string[];
}
