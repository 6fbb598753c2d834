import type { Services } from '@fucina/host';
import { isAppError } from '@fucina/shared';
import type { Say } from './words/index.ts';

export const PORTS_USAGE = '[open <port> | close <port>]';

/** What `/ports` found or did: one sentence, or the servers with their states. */
export interface PortsOutcome {
  isRefused: boolean;
  sentence?: string;
  servers?: readonly { port: number; state: string }[];
}

export interface PortsNeeds {
  services: Pick<Services, 'sessionPorts'>;
  sessionId: string;
  say: Say;
}

type Server = Awaited<ReturnType<Services['sessionPorts']['list']>>[number];

/** Lists servers that commands run in the sandbox, opens one on this computer, or closes it. Undefined: a wrong argument. */
export async function runPorts(argument: string, needs: PortsNeeds): Promise<PortsOutcome | undefined> {
  if (argument === '') return listPorts(needs);
  const [, verb, digits] = /^(open|close)\s+([1-9]\d{0,4})$/.exec(argument) ?? [];
  if (digits === undefined) return undefined;
  return verb === 'open' ? openPort(Number(digits), needs) : closePort(Number(digits), needs);
}

async function listPorts({ services, sessionId, say }: PortsNeeds): Promise<PortsOutcome> {
  const servers = await services.sessionPorts.list(sessionId);
  if (servers.length === 0) return { isRefused: false, sentence: say('ports.none') };
  return { isRefused: false, servers: servers.map((server) => ({ port: server.port, state: stateOf(server, say) })) };
}

async function openPort(port: number, { services, sessionId, say }: PortsNeeds): Promise<PortsOutcome> {
  try {
    const opened = await services.sessionPorts.open(sessionId, port);
    return { isRefused: false, sentence: say('ports.opened', { port, state: stateOf(opened, say) }) };
  } catch (error) {
    if (!isAppError(error, 'NOT_FOUND') || error.reason !== 'no-server') throw error;
    return { isRefused: true, sentence: say('ports.no-server', { port }) };
  }
}

async function closePort(port: number, { services, sessionId, say }: PortsNeeds): Promise<PortsOutcome> {
  await services.sessionPorts.close(sessionId, port);
  return { isRefused: false, sentence: say('ports.closed', { port }) };
}

function stateOf({ openedAt, because }: Server, say: Say): string {
  if (openedAt === null) return say('ports.not-open');
  const address = `http://127.0.0.1:${openedAt}`;
  return because === null ? address : `${address} (${say(`ports.${because}`)})`;
}
