import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { FormFoot } from '../../parts/form-foot.tsx';
import { TextField } from '../../parts/text-field.tsx';
import {
  addMcpServer,
  changeMcpServer,
  connectMcpServer,
  type McpCallAnswer,
  type McpPlace,
  type McpServer,
  placeOf,
  refreshMcp,
  type SavedServer,
} from '../../wire/mcp-servers.ts';
import { useWords } from '../../words/words.ts';
import { CallsField } from './calls-choice.tsx';
import { ClientFields } from './client-fields.tsx';
import { FieldRows } from './field-rows.tsx';
import { ScopeChoice } from './scope-choice.tsx';
import {
  type DraftProblem,
  draftOf,
  emptyDraft,
  namedSecrets,
  problemOf,
  type ServerDraft,
  savedOf,
} from './server-draft.ts';

interface FormProps {
  place: McpPlace;
  hasProject: boolean;
  /** The server to edit; a new one without it. */
  server?: McpServer;
  close: () => void;
}

/** Adds or edits a server; a saved one is started at once, so that its state is known. */
export function ServerForm({ place, hasProject, server, close }: FormProps) {
  const { say } = useWords();
  const id = useId();
  const [draft, setDraft] = useState<ServerDraft>(() =>
    server ? draftOf(server) : emptyDraft(hasProject ? 'project' : 'everywhere'),
  );
  const [values, setValues] = useState<Record<string, string>>({});
  const [calls, setCalls] = useState<McpCallAnswer>();
  const [isTried, setIsTried] = useState(false);
  const save = useSave({ place: server ? placeOf(place, server) : place, isNew: !server, close });
  const change = (more: Partial<ServerDraft>) => setDraft({ ...draft, ...more });
  const problem = problemOf(draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (!problem) save.mutate({ ...savedOf(draft, values), ...(calls && { calls }) });
  };
  const shown = isTried ? problem : undefined;
  return (
    <form className="mcp-form" aria-label={say(server ? 'mcp.form.edit' : 'mcp.form.add')} onSubmit={submit} noValidate>
      <h3>{server ? say('mcp.form.editOf', { name: server.name }) : say('mcp.form.add')}</h3>
      {!server && (
        <TextField
          id={`${id}-name`}
          label={say('mcp.form.name')}
          value={draft.name}
          placeholder="github"
          problem={shown === 'name' ? say('mcp.problem.name') : undefined}
          isFocused
          change={(name) => change({ name })}
        />
      )}
      {!server && hasProject && <ScopeChoice scope={draft.scope} choose={(scope) => change({ scope })} />}
      <KindFields id={id} draft={draft} change={change} problem={shown} />
      <NamedSecrets
        names={namedSecrets(draft)}
        stored={server?.secrets.filter(({ isSaved }) => isSaved).map(({ name }) => name) ?? []}
        values={values}
        change={setValues}
      />
      {!server && <CallsField choose={setCalls} />}
      <p className="small muted">{say('mcp.form.runs')}</p>
      <FormFoot
        label={say(server ? 'act.save' : 'mcp.add')}
        isSaving={save.isPending}
        error={save.error}
        close={close}
      />
    </form>
  );
}

interface KindFieldsProps {
  id: string;
  draft: ServerDraft;
  change: (more: Partial<ServerDraft>) => void;
  problem: DraftProblem | undefined;
}

/** The kind of server, and what it needs. */
function KindFields({ id, draft, change, problem }: KindFieldsProps) {
  const { say } = useWords();
  return (
    <>
      <fieldset className="mcp-kinds">
        <legend className="field-label">{say('mcp.form.kind')}</legend>
        {(['stdio', 'http'] as const).map((kind) => (
          <label key={kind} className="mcp-kind">
            <input type="radio" name={`${id}-kind`} checked={draft.kind === kind} onChange={() => change({ kind })} />
            {say(`mcp.form.kind.${kind}`)}
          </label>
        ))}
      </fieldset>
      {draft.kind === 'stdio' ? (
        <ProgramFields id={id} draft={draft} change={change} problem={problem} />
      ) : (
        <TextField
          id={`${id}-url`}
          label={say('mcp.form.url')}
          value={draft.url}
          placeholder="https://example.com/mcp"
          problem={problem === 'url' ? say('mcp.problem.url') : undefined}
          change={(url) => change({ url })}
        />
      )}
      {draft.kind === 'stdio' ? (
        <FieldRows kind="environment" fields={draft.environment} change={(environment) => change({ environment })} />
      ) : (
        <>
          <FieldRows kind="headers" fields={draft.headers} change={(headers) => change({ headers })} />
          <ClientFields id={id} draft={draft.client} problem={problem} change={(client) => change({ client })} />
        </>
      )}
    </>
  );
}

function useSave({ place, isNew, close }: { place: McpPlace; isNew: boolean; close: () => void }) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (saved: SavedServer) => (isNew ? addMcpServer : changeMcpServer)(place, saved),
    onSuccess: async (_answer, { name, scope }) => {
      close();
      await refreshMcp(client);
      // Its result is in the state of the server.
      const starting = connectMcpServer(place, { name, scope, folder: null });
      await refreshMcp(client);
      await starting.catch(() => undefined);
      await refreshMcp(client);
    },
  });
}

function ProgramFields({ id, draft, change, problem }: KindFieldsProps) {
  const { say } = useWords();
  return (
    <>
      <TextField
        id={`${id}-command`}
        label={say('mcp.form.command')}
        value={draft.command}
        placeholder="npx"
        problem={problem === 'command' ? say('mcp.problem.command') : undefined}
        change={(command) => change({ command })}
      />
      <div className="field">
        <label className="field-label" htmlFor={`${id}-args`}>
          {say('mcp.form.args')}
        </label>
        <textarea
          id={`${id}-args`}
          className="input code-input"
          rows={3}
          spellCheck={false}
          value={draft.args}
          placeholder={'-y\n@modelcontextprotocol/server-filesystem\n${workspaceFolder}'}
          aria-describedby={`${id}-args-help`}
          onChange={(event) => change({ args: event.currentTarget.value })}
        />
        <p id={`${id}-args-help`} className="small muted">
          {say('mcp.form.args.help')}
        </p>
      </div>
      <TextField
        id={`${id}-folder`}
        label={say('mcp.form.folder')}
        value={draft.workingFolder}
        help={say(draft.scope === 'project' ? 'mcp.form.folder.project' : 'mcp.form.folder.home')}
        change={(workingFolder) => change({ workingFolder })}
      />
    </>
  );
}

interface NamedSecretsProps {
  names: readonly string[];
  stored: readonly string[];
  values: Record<string, string>;
  change: (values: Record<string, string>) => void;
}

/** Secrets that other texts name as `${secret:NAME}`. */
function NamedSecrets({ names, stored, values, change }: NamedSecretsProps) {
  const { say } = useWords();
  const id = useId();
  if (names.length === 0) return null;
  return (
    <fieldset className="mcp-fields">
      <legend className="field-label">{say('mcp.form.secrets')}</legend>
      {names.map((name, at) => (
        <div key={name} className="mcp-named">
          <label htmlFor={`${id}-${at}`}>
            <code>{name}</code>
          </label>
          <input
            id={`${id}-${at}`}
            type="password"
            autoComplete="off"
            className="input code-input"
            value={values[name] ?? ''}
            placeholder={say(stored.includes(name) ? 'mcp.form.stored' : 'mcp.form.notStored')}
            onChange={(event) => change({ ...values, [name]: event.currentTarget.value })}
          />
        </div>
      ))}
    </fieldset>
  );
}
