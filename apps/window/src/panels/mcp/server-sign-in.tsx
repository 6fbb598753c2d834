import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ExternalLink, LoaderCircle, LogIn } from 'lucide-react';
import { useEffect, useState } from 'react';
import { later } from '../../ambient.ts';
import { outsideAddress } from '../../parts/outside-address.ts';
import { RefusedLink } from '../../parts/outside-anchor.tsx';
import { Failure } from '../../parts/states.tsx';
import {
  type McpPlace,
  type McpServer,
  type McpSignIn,
  refreshMcp,
  signInAtMcpServer,
} from '../../wire/mcp-servers.ts';
import { useWords } from '../../words/words.ts';

const LOOK_MS = 1_500;

/** The sign-in that a server asks for. It is over when the server no longer asks. */
export function ServerSignIn({ place, row }: { place: McpPlace; row: McpServer }) {
  const { say } = useWords();
  const client = useQueryClient();
  const begin = useMutation({
    mutationFn: () => signInAtMcpServer(place, row),
    onError: () => refreshMcp(client),
  });
  return (
    <div className="mcp-sign-in">
      {row.signIn === 'other-permissions' && <p className="small">{say('mcp.signIn.more')}</p>}
      {begin.data ? (
        <OpenPage begun={begin.data} again={() => begin.mutate()} cancel={begin.reset} />
      ) : (
        <Button
          size="compact-sm"
          variant="filled"
          leftSection={<LogIn size={14} aria-hidden />}
          loading={begin.isPending}
          aria-label={say('mcp.signIn.of', { name: row.name })}
          onClick={() => begin.mutate()}
        >
          {say('mcp.signIn')}
        </Button>
      )}
      {begin.error && <Failure error={begin.error} />}
    </div>
  );
}

interface OpenPageProps {
  begun: McpSignIn;
  again: () => void;
  cancel: () => void;
}

/** The user opens the page; this window looks whether the sign-in is done. */
function OpenPage({ begun, again, cancel }: OpenPageProps) {
  const { say } = useWords();
  const client = useQueryClient();
  const [isOver, setIsOver] = useState(false);
  const [looks, setLooks] = useState(0);
  useEffect(() => later(begun.expiresInMs, () => setIsOver(true)), [begun.expiresInMs]);
  useEffect(() => {
    if (isOver) return undefined;
    return later(LOOK_MS, () => void refreshMcp(client).finally(() => setLooks(looks + 1)));
  }, [client, isOver, looks]);
  if (isOver) {
    return (
      <>
        <p className="small warning" role="status">
          {say('mcp.signIn.over')}
        </p>
        <Button size="compact-sm" onClick={again}>
          {say('mcp.signIn')}
        </Button>
      </>
    );
  }
  return (
    <>
      <SignInLink address={begun.address} />
      <span className="small muted" role="status">
        <LoaderCircle size={12} className="spin" aria-hidden /> {say('mcp.signIn.waiting')}
      </span>
      <Button size="compact-sm" variant="subtle" color="gray" onClick={cancel}>
        {say('act.cancel')}
      </Button>
    </>
  );
}

function SignInLink({ address }: { address: string }) {
  const { say } = useWords();
  const href = outsideAddress(address);
  if (href === undefined) return <RefusedLink />;
  return (
    <Button
      component="a"
      size="compact-sm"
      variant="filled"
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      leftSection={<ExternalLink size={14} aria-hidden />}
    >
      {say('mcp.signIn.open', { host: new URL(address).host })}
    </Button>
  );
}
