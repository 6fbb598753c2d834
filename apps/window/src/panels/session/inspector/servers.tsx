import type { Conversation } from '@fucina/conversation';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Panel } from '../../../parts/box.tsx';
import { OutsideAnchor } from '../../../parts/outside-anchor.tsx';
import { Failure } from '../../../parts/states.tsx';
import { useConversationFact } from '../../../session/use-session.tsx';
import { openPort, type SessionServer } from '../../../wire/session-ports.ts';
import { closePort, sessionServersQuery } from '../../../wire/session-servers.ts';
import { useWords } from '../../../words/words.ts';

const LOOK_AGAIN_MS = 5_000;

/** A server ends with the command that started it. */
const hasLiveCommand = ({ items }: Conversation): boolean =>
  items.some(
    (item) =>
      ((item.kind === 'tool' || item.kind === 'command') && !item.isOver) ||
      (item.kind === 'tool' && item.background?.isRunning === true),
  );

function Server({ sessionId, server }: { sessionId: string; server: SessionServer }) {
  const { say } = useWords();
  const client = useQueryClient();
  const { port, openedAt, because } = server;
  const isOpen = openedAt !== null;
  const change = useMutation({
    mutationFn: (): Promise<unknown> => (isOpen ? closePort(sessionId, port) : openPort(sessionId, port)),
    onSettled: () => client.invalidateQueries({ queryKey: sessionServersQuery(sessionId).queryKey, exact: true }),
  });
  const address = `http://localhost:${openedAt ?? port}`;
  return (
    <li className="server">
      <Link to={`/sessions/${sessionId}/page?url=${encodeURIComponent(`http://localhost:${port}/`)}`}>
        {say('inspector.server', { port })}
      </Link>
      <Button
        className="server-button"
        size="compact-xs"
        variant="default"
        aria-label={say(isOpen ? 'inspector.server.closePort' : 'inspector.server.openPort', { port })}
        disabled={change.isPending}
        onClick={() => change.mutate()}
      >
        {say(isOpen ? 'inspector.server.close' : 'inspector.server.open')}
      </Button>
      <span className="small muted server-state">
        {isOpen ? <OutsideAnchor address={address}>{address}</OutsideAnchor> : say('inspector.server.closed')}
        {because && ` ${say(`inspector.server.${because}`)}`}
      </span>
      {change.error && <Failure error={change.error} />}
    </li>
  );
}

/** Servers that commands run in the sandbox; absent while there are none. */
export function Servers({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const isLive = useConversationFact(hasLiveCommand);
  const { data } = useQuery({ ...sessionServersQuery(sessionId), enabled: isLive, refetchInterval: LOOK_AGAIN_MS });
  if (!isLive || !data?.length) return null;
  return (
    <Panel title={say('inspector.servers')}>
      <ul className="rows">
        {data.map((server) => (
          <Server key={server.port} sessionId={sessionId} server={server} />
        ))}
      </ul>
    </Panel>
  );
}
