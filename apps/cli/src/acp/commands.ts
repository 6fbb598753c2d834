import type { AvailableCommand } from '@agentclientprotocol/sdk';
import type { Services } from '@fucina/host';
import { PORTS_USAGE } from '../ports-command.ts';
import type { Say } from '../words/index.ts';

/** The slash commands of this folder and `/ports`, for completion in an editor. */
export async function availableCommands({ sessions }: Services, folder: string, say: Say): Promise<AvailableCommand[]> {
  const commands = await sessions.slashCommandsIn(folder);
  const ports = { name: 'ports', description: say('slash.ports'), input: { hint: PORTS_USAGE } };
  const others = commands.map(({ name, summary, usage }) => {
    const hint = usage.replace(`/${name}`, '').trim();
    return { name, description: summary, ...(hint && { input: { hint } }) };
  });
  return [...others, ports];
}
