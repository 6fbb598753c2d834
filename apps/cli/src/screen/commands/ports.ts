import { isAppError } from '@fucina/shared';
import type { Candidate } from '../input/completion/candidate.ts';
import type { Line } from '../line.ts';
import { textSpan } from '../render/wrap.ts';
import type { Workbench } from '../workbench.ts';
import { UsageProblem } from './command.ts';

type Server = Awaited<ReturnType<Workbench['services']['sessionPorts']['list']>>[number];

/** Servers that commands run in the sandbox: listed, opened on this computer, and closed again. */
export async function portsCommand(argument: string, workbench: Workbench): Promise<void> {
  const { conversation, tell, terminal } = workbench;
  const sessionId = conversation.sessionId();
  if (sessionId === undefined) return tell({ tone: 'info', body: terminal.say('no-conversation') });
  if (argument === '') return listPorts(sessionId, workbench);
  const [, verb, digits] = /^(open|close)\s+([1-9]\d{0,4})$/.exec(argument) ?? [];
  if (digits === undefined) throw new UsageProblem();
  return verb === 'open'
    ? openPort(sessionId, Number(digits), workbench)
    : closePort(sessionId, Number(digits), workbench);
}

export async function portCandidates({ services, conversation }: Workbench): Promise<Candidate[]> {
  const sessionId = conversation.sessionId();
  const servers = sessionId === undefined ? [] : await services.sessionPorts.list(sessionId);
  return servers.map(({ port, openedAt }) => {
    const text = `${openedAt === null ? 'open' : 'close'} ${port}`;
    return { text, label: text, isWhole: true };
  });
}

async function listPorts(sessionId: string, { services, terminal, tell }: Workbench): Promise<void> {
  const { say } = terminal;
  const servers = await services.sessionPorts.list(sessionId);
  if (servers.length === 0) return tell({ tone: 'info', body: say('ports.none') });
  tell({
    tone: 'info',
    title: say('ports.title'),
    body: servers.map(
      (server): Line => [{ text: `${String(server.port).padEnd(6)} `, token: 'muted' }, textSpan(stateOf(server, say))],
    ),
  });
}

async function openPort(sessionId: string, port: number, { services, terminal, tell }: Workbench): Promise<void> {
  const { say } = terminal;
  try {
    const opened = await services.sessionPorts.open(sessionId, port);
    tell({ tone: 'info', body: say('ports.opened', { port, state: stateOf(opened, say) }) });
  } catch (error) {
    if (!isAppError(error, 'NOT_FOUND') || error.reason !== 'no-server') throw error;
    tell({ tone: 'warning', body: say('ports.no-server', { port }) });
  }
}

async function closePort(sessionId: string, port: number, { services, terminal, tell }: Workbench): Promise<void> {
  await services.sessionPorts.close(sessionId, port);
  tell({ tone: 'info', body: terminal.say('ports.closed', { port }) });
}

function stateOf({ openedAt, because }: Server, say: Workbench['terminal']['say']): string {
  if (openedAt === null) return say('ports.not-open');
  const address = `http://127.0.0.1:${openedAt}`;
  return because === null ? address : `${address} (${say(`ports.${because}`)})`;
}
