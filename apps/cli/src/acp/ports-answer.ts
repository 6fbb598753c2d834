import { isAppError } from '@fucina/shared';
import { PORTS_USAGE, type PortsNeeds, runPorts } from '../ports-command.ts';

/** The answer to `/ports`, which no turn and no model sees; undefined for any other message. */
export async function portsAnswer(message: string, needs: PortsNeeds): Promise<string | undefined> {
  const [, argument] = /^\/ports(?:\s+(.*))?$/s.exec(message.trim()) ?? [];
  if (argument === undefined && message.trim() !== '/ports') return undefined;
  const { say } = needs;
  const outcome = await runPorts((argument ?? '').trim(), needs).catch((error: unknown) => {
    // A session begins with its first message.
    if (isAppError(error, 'NOT_FOUND')) return { sentence: say('ports.none'), servers: [] };
    throw error;
  });
  if (!outcome) return say('slash.usage', { usage: `/ports ${PORTS_USAGE}` });
  const { sentence, servers = [] } = outcome;
  return sentence ?? servers.map(({ port, state }) => `- ${port}: ${state}`).join('\n');
}
