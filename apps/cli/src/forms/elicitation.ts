/** What a server of the project asks the user in the middle of a call. Its words are its own. */
export interface Elicitation {
  requestId: string;
  server: string;
  message: string;
  /** A form with this JSON schema, or a page to open. */
  form?: Readonly<Record<string, unknown>>;
  url?: string;
}

/** Where an address leads, as the network has it: what looks alike in another alphabet does not here. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
