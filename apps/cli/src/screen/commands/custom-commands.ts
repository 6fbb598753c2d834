import { realpath } from 'node:fs/promises';
import type { CommandFacts } from '@fucina/host';
import type { Workbench } from '../workbench.ts';

/** Slash commands outside the screen: built-in ones of sessions, of the project, and the user's own. */
export async function customCommands({ services, conversation, dir }: Workbench): Promise<CommandFacts[]> {
  const { sessions } = services;
  const sessionId = conversation.sessionId();
  return sessionId === undefined ? sessions.slashCommandsIn(await realpath(dir)) : sessions.slashCommands(sessionId);
}
