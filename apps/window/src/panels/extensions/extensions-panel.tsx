import '../../styles/extensions.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Answer } from '../../parts/states.tsx';
import { openOverlay } from '../../shell/overlay-state.ts';
import { forgedQuery, pluginsQuery, refreshExtensions, trust } from '../../wire/extensions.ts';
import { useWords } from '../../words/words.ts';
import { LanguageServers } from '../language/language-servers.tsx';
import { McpServers } from '../mcp/mcp-servers.tsx';
import { ForgedRow } from './forged-row.tsx';
import { Hooks } from './hooks.tsx';
import { Section } from './section.tsx';
import { Skills } from './skills.tsx';
import { TrustFacts, type TrustRequest } from './trust-facts.tsx';
import { PluginRow } from './trusted-rows.tsx';

/** Shows exactly what would run before it is trusted; refreshes the list afterwards in every case. */
function useAsk(sessionId: string): (request: TrustRequest) => void {
  const { say } = useWords();
  const client = useQueryClient();
  return (request) =>
    openOverlay({
      kind: 'confirm',
      title: say(`extensions.trust.${request.kind}`, { name: request.name }),
      text: <TrustFacts request={request} />,
      act: say('extensions.trust'),
      isDangerous: false,
      run: () => trust(sessionId, request.kind, request.id).finally(() => refreshExtensions(client, sessionId)),
    });
}

/** Extensions of the project and the user, and their trust. */
export function ExtensionsPanel({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const plugins = useQuery(pluginsQuery(sessionId));
  const forged = useQuery(forgedQuery(sessionId));
  const ask = useAsk(sessionId);
  return (
    <div className="extensions" tabIndex={-1}>
      <h1 className="unseen">{say('session.extensions')}</h1>
      <McpServers place={{ sessionId }} />
      <LanguageServers sessionId={sessionId} />
      <Hooks place={{ sessionId }} />
      <Answer query={plugins} lines={3}>
        {(declared) => (
          <Section
            kind="plugins"
            declared={declared}
            row={(row) => <PluginRow key={row.id} row={row} ask={ask} />}
            more={declared.broken.length > 0 && <Broken broken={declared.broken} />}
          />
        )}
      </Answer>
      <Skills place={{ sessionId }} />
      <Answer query={forged} lines={3}>
        {(declared) => (
          <Section
            kind="forged"
            declared={declared}
            row={(row) => <ForgedRow key={row.id} sessionId={sessionId} row={row} />}
          />
        )}
      </Answer>
    </div>
  );
}

function Broken({ broken }: { broken: readonly { id: string; errore: string }[] }) {
  const { say } = useWords();
  return (
    <ul className="extension-list">
      {broken.map(({ id, errore }) => (
        <li key={id} className="extension-row" data-broken>
          <div className="extension-name">
            <b>{id}</b> <span className="tag danger">{say('extensions.broken')}</span>
          </div>
          <code className="small">{errore}</code>
        </li>
      ))}
    </ul>
  );
}
