import * as asked from '@fucina/conversation';

/** What an agent asks leave for, as its event has it. */
export type AskedAction = Readonly<Record<string, unknown>>;

const typed = (action: AskedAction): asked.ToolAction => ({ ...action, tipo: String(action.tipo) });

/** A command wants to reach a host. */
export const isNetwork = (action: AskedAction): boolean => asked.isNetwork(typed(action));

/** The sandbox hid a place outside the project from a command. */
export const isHiddenRead = (action: AskedAction): boolean => asked.isHiddenRead(typed(action));

/** The rule of the sandbox that answers this request in its project from now on, where one can. */
export const projectRule = (action: AskedAction): string | undefined => asked.projectRule(typed(action));
