/** A document as text a model can read. */
export interface DocumentText {
  /** In English, for the model: `PDF document`. */
  kind: string;
  /** Its pages, sheets or slides; one without a title where the format has none. */
  pages: { title: string | null; text: string }[];
  /** What was left out, and how to read it. */
  notes: string[];
}
