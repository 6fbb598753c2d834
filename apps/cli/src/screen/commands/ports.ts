import { runPorts } from '../../ports-command.ts';
import type { Candidate } from '../input/completion/candidate.ts';
import type { Line } from '../line.ts';
import { textSpan } from '../render/wrap.ts';
import type { Workbench } from '../workbench.ts';
import { UsageProblem } from './command.ts';

const PORT_WIDTH = 6;

export async function portsCommand(
  argument: string,
  { conversation, services, tell, terminal }: Workbench,
): Promise<void> {
  const { say } = terminal;
  const sessionId = conversation.sessionId();
  if (sessionId === undefined) return tell({ tone: 'info', body: say('no-conversation') });
  const outcome = await runPorts(argument, { services, sessionId, say });
  if (!outcome) throw new UsageProblem();
  const { isRefused, sentence, servers = [] } = outcome;
  if (sentence !== undefined) return tell({ tone: isRefused ? 'warning' : 'info', body: sentence });
  tell({
    tone: 'info',
    title: say('ports.title'),
    body: servers.map(
      ({ port, state }): Line => [{ text: `${String(port).padEnd(PORT_WIDTH)} `, token: 'muted' }, textSpan(state)],
    ),
  });
}

export async function portCandidates({ services, conversation }: Workbench): Promise<Candidate[]> {
  const sessionId = conversation.sessionId();
  const servers = sessionId === undefined ? [] : await services.sessionPorts.list(sessionId);
  return servers.map(({ port, openedAt }) => {
    const text = `${openedAt === null ? 'open' : 'close'} ${port}`;
    return { text, label: text, isWhole: true };
  });
}
