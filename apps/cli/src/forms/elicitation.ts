/** A question of an MCP server to the user during a call. Its text is the server's own. */
export interface Elicitation {
  requestId: string;
  server: string;
  message: string;
  /** A form with this JSON schema, or a page to open. */
  form?: Readonly<Record<string, unknown>>;
  url?: string;
  /** The server wants to ask this model; `message` is all that the model would get. */
  sampling?: { model: string; maxTokens: number } | undefined;
}

/** The host of an address in ASCII form, so that look-alikes from other alphabets are visible. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
