export type Language = 'it' | 'en';

/** Title, explanation, action. */
export type Entry = readonly [title: string, explanation: string, action: string];

/** What the user reads about an error. `message` is one line; `action` is the next step. */
export interface Sentences {
  message: string;
  title: string;
  explanation: string;
  action: string;
}
