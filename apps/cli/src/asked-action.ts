import * as asked from '@fucina/conversation';

/** An action that needs approval, as its event describes it. */
export type AskedAction = Readonly<Record<string, unknown>>;

const typed = (action: AskedAction): asked.ToolAction => ({ ...action, kind: String(action.kind) });

/** A command wants to reach a host. */
export const isNetwork = (action: AskedAction): boolean => asked.isNetwork(typed(action));

/** A patch of several files. */
export const isOfFiles = (action: AskedAction): boolean => asked.isOfFiles(typed(action));

/** A tool wants to read an address. */
export const isAddressRead = (action: AskedAction): boolean => asked.isAddressRead(typed(action));

/** The sandbox hid a place outside the project from a command. */
export const isHiddenRead = (action: AskedAction): boolean => asked.isHiddenRead(typed(action));

/** What a card asks about an MCP server beyond this call. */
export const askedOfServer = (action: AskedAction): 'server' | 'tool' | undefined => asked.askedOfServer(typed(action));

/** The answers about an MCP server that a card offers. */
export const serverAnswers = (action: AskedAction): readonly asked.ServerAnswer[] => asked.serverAnswers(typed(action));

/** What one of them stores. */
export const storedServerAnswer = (action: AskedAction, answer: asked.ServerAnswer) =>
  asked.storedServerAnswer(typed(action), answer);

/** What an answer for the session allows of a command; empty for this very line, undefined for other requests. */
export const sessionCommands = (action: AskedAction): readonly string[] | undefined =>
  asked.sessionCommands(typed(action));

/** The sandbox rule that would answer this request in its project from now on, if any. */
export const projectRule = (action: AskedAction): string | undefined => asked.projectRule(typed(action));
