import { cleanText } from '@fucina/conversation/clean-text';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Braces, ShieldAlert } from 'lucide-react';
import { useId } from 'react';
import { Answer, Failure } from '../../parts/states.tsx';
import { openOverlay } from '../../shell/overlay-state.ts';
import {
  type LanguageServer,
  languageServersQuery,
  refreshLanguage,
  startLanguageServer,
} from '../../wire/language.ts';
import { useWords } from '../../words/words.ts';
import { TrustFacts } from '../extensions/trust-facts.tsx';

/** Shows exactly what would run before it is trusted. */
function useTrust(sessionId: string): (server: LanguageServer) => void {
  const { say } = useWords();
  const client = useQueryClient();
  return ({ id, command }) =>
    openOverlay({
      kind: 'confirm',
      title: say('language.trust.title', { name: id }),
      text: (
        <TrustFacts
          request={{ kind: 'plugins', id, name: id, commands: [{ command: command.join(' ') }], isSandboxed: true }}
        />
      ),
      act: say('extensions.trust'),
      isDangerous: false,
      run: () => startLanguageServer(sessionId, id, 'trust').finally(() => refreshLanguage(client)),
    });
}

function Row({ sessionId, server }: { sessionId: string; server: LanguageServer }) {
  const { say } = useWords();
  const client = useQueryClient();
  const trust = useTrust(sessionId);
  const { id, state, command, extensions, problem } = server;
  const restart = useMutation({
    mutationFn: () => startLanguageServer(sessionId, id, 'start'),
    onSettled: () => refreshLanguage(client),
  });
  const isUntrusted = state === 'not-trusted';
  const tone = state === 'ready' ? 'good' : isUntrusted || state === 'failed' ? 'ask' : undefined;
  return (
    <li className="extension-row">
      <div className="extension-name">
        <b>{id}</b>
        <span className="tag" data-tone={tone}>
          {isUntrusted && <ShieldAlert size={14} aria-hidden />}
          {say(`language.state.${state}`)}
        </span>
        {isUntrusted ? (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={say('extensions.trust.of', { name: id })}
            onClick={() => trust(server)}
          >
            {say('extensions.trust.look')}
          </Button>
        ) : (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={say(state === 'stopped' ? 'language.start.of' : 'language.restart.of', { name: id })}
            loading={restart.isPending || state === 'starting'}
            onClick={() => restart.mutate()}
          >
            {say(state === 'stopped' ? 'language.start' : 'language.restart')}
          </Button>
        )}
      </div>
      {problem !== null && <code className="small">{problem}</code>}
      {restart.error && <Failure error={restart.error} retry={() => restart.mutate()} />}
      <code className="extension-command">{cleanText(command.join(' '))}</code>
      <p className="muted small">{extensions.join(' ')}</p>
    </li>
  );
}

/** The language servers of a session's project, their state and their trust. */
export function LanguageServers({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const id = useId();
  const servers = useQuery(languageServersQuery(sessionId));
  return (
    <section className="extension-section" aria-labelledby={id}>
      <h2 id={id}>
        <Braces size={16} aria-hidden /> {say('language.servers')}
      </h2>
      <p className="muted small">{say('language.servers.why')}</p>
      <Answer query={servers} lines={2}>
        {({ servers: rows, error }) => (
          <>
            {error !== null && (
              <div className="banner" role="alert">
                <p>{say('language.servers.unreadable')}</p>
                <code>{error}</code>
              </div>
            )}
            {rows.length === 0 ? (
              <p className="muted extension-none">{say('language.servers.none')}</p>
            ) : (
              <ul className="extension-list">
                {rows.map((server) => (
                  <Row key={server.id} sessionId={sessionId} server={server} />
                ))}
              </ul>
            )}
          </>
        )}
      </Answer>
    </section>
  );
}
