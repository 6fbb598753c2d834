export type SidePart = { type: 'text'; text: string } | { type: 'image'; mimeType: string; bytes: Uint8Array };
export type SideMessage = { role: 'user'; content: readonly SidePart[] } | { role: 'assistant'; text: string };

/** A question to the model of the session beside the conversation, such as an MCP server asks. */
export interface SideQuestion {
  system: string;
  messages: readonly SideMessage[];
  maxOutputTokens: number;
}

export interface SideAnswer {
  model: string;
  text: string;
  /** The answer was cut at `maxOutputTokens`. */
  isCut: boolean;
}

/** The model of the session, for a tool that runs. Each question is counted as use of the session. */
export interface SideModel {
  /** The model that answers now. */
  name(): string;
  /** Rejects when the model fails or the budget is used up, with a message for the asker. */
  ask(question: SideQuestion, signal: AbortSignal): Promise<SideAnswer>;
}
