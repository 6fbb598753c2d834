import '../../styles/extensions.css';
import { useQuery } from '@tanstack/react-query';
import { Answer } from '../../parts/states.tsx';
import { forgedQuery } from '../../wire/extensions.ts';
import { useWords } from '../../words/words.ts';
import { Formatters } from '../language/formatters.tsx';
import { LanguageServers } from '../language/language-servers.tsx';
import { McpServers } from '../mcp/mcp-servers.tsx';
import { ForgedRow } from './forged-row.tsx';
import { Hooks } from './hooks.tsx';
import { Plugins } from './plugins.tsx';
import { Section } from './section.tsx';
import { Skills } from './skills.tsx';

/** Extensions of the project and the user, and their trust. */
export function ExtensionsPanel({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const forged = useQuery(forgedQuery(sessionId));
  return (
    <div className="extensions" tabIndex={-1}>
      <h1 className="unseen">{say('session.extensions')}</h1>
      <McpServers place={{ sessionId }} />
      <LanguageServers sessionId={sessionId} />
      <Formatters sessionId={sessionId} />
      <Hooks place={{ sessionId }} />
      <Plugins place={{ sessionId }} />
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
