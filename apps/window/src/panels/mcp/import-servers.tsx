import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Answer, Failure } from '../../parts/states.tsx';
import {
  type ImportSource,
  importMcp,
  type McpCandidate,
  type McpImportFile,
  type McpPlace,
  mcpImportsQuery,
  mcpServersQuery,
  type OwnScope,
  readMcpText,
  refreshMcp,
} from '../../wire/mcp-servers.ts';
import { useWords } from '../../words/words.ts';
import { Candidates } from './candidates.tsx';
import { ScopeChoice } from './scope-choice.tsx';

interface ImportProps {
  place: McpPlace;
  hasProject: boolean;
  close: () => void;
}

/** Servers from other programs' configurations or from a pasted text, chosen after a preview. */
export function ImportServers({ place, hasProject, close }: ImportProps) {
  const { say } = useWords();
  const [scope, setScope] = useState<OwnScope>(hasProject ? 'project' : 'everywhere');
  const files = useQuery(mcpImportsQuery(place));
  const present = useQuery(mcpServersQuery(place)).data?.servers ?? [];
  const taken = new Set(present.filter((server) => server.scope === scope).map(({ name }) => name));
  return (
    <section className="mcp-form" aria-label={say('mcp.import.title')}>
      <h3>{say('mcp.import.title')}</h3>
      <p className="small muted">{say('mcp.import.why')}</p>
      {hasProject && <ScopeChoice scope={scope} choose={setScope} />}
      <PastedText place={place} scope={scope} taken={taken} close={close} />
      <h4>{say('mcp.import.found')}</h4>
      <Answer query={files} lines={3}>
        {(found) =>
          found.length === 0 ? (
            <p className="small muted">{say('mcp.import.none')}</p>
          ) : (
            found.map((file) => (
              <ImportedFile key={file.id} place={place} file={file} scope={scope} taken={taken} close={close} />
            ))
          )
        }
      </Answer>
      <div className="mcp-form-foot">
        <Button variant="default" onClick={close}>
          {say('act.close')}
        </Button>
      </div>
    </section>
  );
}

interface SourceProps {
  place: McpPlace;
  scope: OwnScope;
  taken: ReadonlySet<string>;
  close: () => void;
}

function PastedText({ place, scope, taken, close }: SourceProps) {
  const { say } = useWords();
  const id = useId();
  const [text, setText] = useState('');
  const reading = useMutation({ mutationFn: readMcpText });
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {say('mcp.import.paste')}
      </label>
      <textarea
        id={id}
        className="input code-input"
        rows={4}
        spellCheck={false}
        value={text}
        placeholder={'{ "mcpServers": { "name": { "command": "npx", "args": ["-y", "package"] } } }'}
        onChange={(event) => {
          setText(event.currentTarget.value);
          reading.reset();
        }}
      />
      {!reading.data && (
        <div>
          <Button
            variant="default"
            disabled={!text.trim()}
            loading={reading.isPending}
            onClick={() => reading.mutate(text)}
          >
            {say('mcp.import.preview')}
          </Button>
        </div>
      )}
      {reading.error && <Failure error={reading.error} />}
      {reading.data && (
        <ChooseAndImport
          place={place}
          candidates={reading.data}
          source={{ text: text }}
          scope={scope}
          taken={taken}
          close={close}
        />
      )}
    </div>
  );
}

function ImportedFile({ file, ...more }: SourceProps & { file: McpImportFile }) {
  const { say } = useWords();
  return (
    <section className="mcp-import-file" aria-label={file.path}>
      <p className="mcp-import-name">
        <b>{say(`mcp.program.${file.program}`)}</b> <code className="small muted">{file.path}</code>
      </p>
      {file.isOfProject && <p className="small">{say('mcp.import.ofProject')}</p>}
      {file.error !== null && (
        <p className="small danger">
          {say('mcp.import.unreadable')} <code>{file.error}</code>
        </p>
      )}
      {file.servers.length > 0 && <ChooseAndImport candidates={file.servers} source={{ source: file.id }} {...more} />}
    </section>
  );
}

interface ChooseProps extends SourceProps {
  candidates: readonly McpCandidate[];
  source: ImportSource;
}

function ChooseAndImport({ place, candidates, source, scope, taken, close }: ChooseProps) {
  const { say } = useWords();
  const client = useQueryClient();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  // After a change of the file only what is shown now counts.
  const meant = candidates.filter(({ id, fingerprint }) => chosen.has(fingerprint) && !taken.has(id));
  const importing = useMutation({
    mutationFn: () =>
      importMcp(place, {
        ...source,
        scope,
        chosen: meant.map(({ name, fingerprint }) => ({ name, fingerprint })),
      }),
    onSuccess: close,
    // After a refusal the preview is shown anew.
    onSettled: () => refreshMcp(client),
  });
  return (
    <>
      <Candidates candidates={candidates} taken={taken} chosen={chosen} choose={setChosen} />
      {importing.error && <Failure error={importing.error} />}
      <div>
        <Button disabled={meant.length === 0} loading={importing.isPending} onClick={() => importing.mutate()}>
          {say('mcp.import.run', { count: meant.length })}
        </Button>
      </div>
    </>
  );
}
