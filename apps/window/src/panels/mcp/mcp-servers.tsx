import '../../styles/extensions.css';
import '../../styles/forms.css';
import '../../styles/mcp.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Download, Plug, Plus } from 'lucide-react';
import { Suspense, useId, useState } from 'react';
import { lazyPart } from '../../parts/lazy-part.tsx';
import { Answer } from '../../parts/states.tsx';
import { type McpPlace, type McpServer, mcpServersQuery } from '../../wire/mcp-servers.ts';
import { useWords } from '../../words/words.ts';
import { ServerRow } from './server-row.tsx';

const ServerForm = lazyPart(async () => (await import('./server-form.tsx')).ServerForm);
const ImportServers = lazyPart(async () => (await import('./import-servers.tsx')).ImportServers);

type Open = { kind: 'add' } | { kind: 'import' } | { kind: 'edit'; server: McpServer } | undefined;

const rowKey = ({ scope, folder, name }: McpServer): string => `${scope} ${folder ?? ''} ${name}`;

/** MCP servers of the user and of a project: state, tools, log; added, imported, changed and removed. */
export function McpServers({ place }: { place: McpPlace }) {
  const { say } = useWords();
  const id = useId();
  const query = useQuery(mcpServersQuery(place));
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const hasProject = place.folder !== undefined || place.sessionId !== undefined;
  return (
    <section className="extension-section mcp" aria-labelledby={id}>
      <div className="mcp-head">
        <h2 id={id}>
          <Plug size={16} aria-hidden /> {say('extensions.servers')}
          {query.data && query.data.servers.length > 0 && (
            <span className="count tabular">{query.data.servers.length}</span>
          )}
        </h2>
        <span className="mcp-head-actions">
          <Button
            variant="default"
            leftSection={<Download size={14} aria-hidden />}
            aria-expanded={open?.kind === 'import'}
            onClick={() => setOpen(open?.kind === 'import' ? undefined : { kind: 'import' })}
          >
            {say('mcp.import')}
          </Button>
          <Button
            leftSection={<Plus size={14} aria-hidden />}
            aria-expanded={open?.kind === 'add'}
            onClick={() => setOpen(open?.kind === 'add' ? undefined : { kind: 'add' })}
          >
            {say('mcp.add')}
          </Button>
        </span>
      </div>
      <p className="muted small">{say('extensions.servers.why')}</p>
      <Suspense>
        {open?.kind === 'add' && <ServerForm place={place} hasProject={hasProject} close={close} />}
        {open?.kind === 'import' && <ImportServers place={place} hasProject={hasProject} close={close} />}
      </Suspense>
      <Answer query={query} lines={3}>
        {({ servers, error }) => (
          <>
            {error !== null && (
              <div className="banner" role="alert">
                <p>{say('extensions.unreadable')}</p>
                <code>{error}</code>
              </div>
            )}
            {servers.length === 0 && error === null && <p className="muted mcp-none">{say('mcp.none')}</p>}
            {servers.length > 0 && (
              <ul className="extension-list">
                {servers.map((row) => (
                  <ServerRow
                    key={rowKey(row)}
                    place={place}
                    row={row}
                    edit={() => setOpen({ kind: 'edit', server: row })}
                  >
                    {open?.kind === 'edit' && rowKey(open.server) === rowKey(row) && (
                      <Suspense>
                        <ServerForm place={place} hasProject={hasProject} server={open.server} close={close} />
                      </Suspense>
                    )}
                  </ServerRow>
                ))}
              </ul>
            )}
          </>
        )}
      </Answer>
    </section>
  );
}
