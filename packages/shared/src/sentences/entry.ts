export type Language = 'it' | 'en';

/** Title, explanation, action. */
export type Entry = readonly [title: string, explanation: string, action: string];
