import '../../styles/extensions.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Anvil, BookMarked, type LucideIcon, Puzzle, Webhook } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Code } from '../../parts/code.tsx';
import { Answer } from '../../parts/states.tsx';
import { openOverlay } from '../../shell/overlay-state.ts';
import {
  type Declared,
  forgedQuery,
  hooksQuery,
  pluginsQuery,
  refreshExtensions,
  skillsQuery,
  trust,
} from '../../wire/extensions.ts';
import { useWords } from '../../words/words.ts';
import { LanguageServers } from '../language/language-servers.tsx';
import { McpServers } from '../mcp/mcp-servers.tsx';
import { ForgedRow } from './forged-row.tsx';
import { TrustFacts, type TrustRequest } from './trust-facts.tsx';
import { HookRow, PluginRow } from './trusted-rows.tsx';

type Kind = 'hooks' | 'plugins' | 'skills' | 'forged';

const ICONS: Record<Kind, LucideIcon> = {
  hooks: Webhook,
  plugins: Puzzle,
  skills: BookMarked,
  forged: Anvil,
};

/** An example to copy. */
const EXAMPLES: Partial<Record<Kind, { path: string; text: string; language: string }>> = {
  hooks: {
    path: '.svc/hooks.json',
    language: 'json',
    text: '{\n  "hooks": [\n    { "id": "guard", "events": ["pre_tool_call"], "command": "node scripts/guard.js" }\n  ]\n}',
  },
  plugins: {
    path: '.svc/plugins/helper/plugin.json',
    language: 'json',
    text: '{\n  "name": "Helper",\n  "description": "Counts words.",\n  "tools": [\n    { "name": "count", "description": "Counts the words of a text.", "command": "node count.js" }\n  ]\n}',
  },
  skills: {
    path: '.svc/skills/release/SKILL.md',
    language: 'markdown',
    text: '---\nname: Release\ndescription: How this project is released\n---\n1. Run the tests.\n2. Write the changelog.',
  },
};

interface SectionProps<Row> {
  kind: Kind;
  declared: Declared<Row>;
  row: (row: Row) => ReactNode;
  more?: ReactNode;
}

function Section<Row extends { id: string }>({ kind, declared, row, more }: SectionProps<Row>) {
  const { say } = useWords();
  const id = useId();
  const Icon = ICONS[kind];
  const isEmpty = declared.rows?.length === 0 && !more;
  return (
    <section className="extension-section" aria-labelledby={id}>
      <h2 id={id}>
        <Icon size={16} aria-hidden /> {say(`extensions.${kind}`)}
        {declared.rows && declared.rows.length > 0 && <span className="count tabular">{declared.rows.length}</span>}
      </h2>
      <p className="muted small">{say(`extensions.${kind}.why`)}</p>
      {declared.problem !== null && (
        <div className="banner" role="alert">
          <p>{say('extensions.unreadable')}</p>
          <code>{declared.problem}</code>
        </div>
      )}
      {declared.rows && declared.rows.length > 0 && <ul className="extension-list">{declared.rows.map(row)}</ul>}
      {more}
      {isEmpty && <Example kind={kind} />}
    </section>
  );
}

function Example({ kind }: { kind: Kind }) {
  const { say } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const example = EXAMPLES[kind];
  return (
    <div className="extension-none">
      <p className="muted">
        {say(`extensions.${kind}.none`)}
        {example && (
          <>
            {' '}
            <button type="button" className="text-button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
              {say('extensions.example')}
            </button>
          </>
        )}
      </p>
      {example && isOpen && (
        <>
          <p className="small">
            <code>{example.path}</code>
          </p>
          <Code code={example.text} language={example.language} />
        </>
      )}
    </div>
  );
}

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
  const hooks = useQuery(hooksQuery(sessionId));
  const plugins = useQuery(pluginsQuery(sessionId));
  const skills = useQuery(skillsQuery(sessionId));
  const forged = useQuery(forgedQuery(sessionId));
  const ask = useAsk(sessionId);
  return (
    <div className="extensions" tabIndex={-1}>
      <h1 className="unseen">{say('session.extensions')}</h1>
      <McpServers place={{ sessionId }} />
      <LanguageServers sessionId={sessionId} />
      <Answer query={hooks} lines={3}>
        {(declared) => (
          <Section kind="hooks" declared={declared} row={(row) => <HookRow key={row.id} row={row} ask={ask} />} />
        )}
      </Answer>
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
      <Answer query={skills} lines={3}>
        {(declared) => (
          <Section
            kind="skills"
            declared={declared}
            row={({ id, name, description }) => (
              <li key={id} className="extension-row">
                <div className="extension-name">
                  <b>{name}</b> <code className="muted small">{id}</code>
                </div>
                <p className="muted small">{description}</p>
              </li>
            )}
          />
        )}
      </Answer>
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
