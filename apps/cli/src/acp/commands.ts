import type { AvailableCommand } from '@agentclientprotocol/sdk';
import type { Services } from '@fucina/host';

/** The slash commands of this folder, for completion in an editor. */
export async function availableCommands({ sessions }: Services, folder: string): Promise<AvailableCommand[]> {
  const commands = await sessions.slashCommandsIn(folder);
  return commands.map(({ name, summary, usage }) => {
    const hint = usage.replace(`/${name}`, '').trim();
    return { name, description: summary, ...(hint && { input: { hint } }) };
  });
}
