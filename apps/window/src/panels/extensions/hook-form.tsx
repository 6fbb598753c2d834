import '../../styles/forms.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { FormFoot } from '../../parts/form-foot.tsx';
import { TextField } from '../../parts/text-field.tsx';
import {
  addHook,
  changeHook,
  type ExtensionPlace,
  type Hook,
  type HookEvent,
  refreshConfigured,
} from '../../wire/configured-extensions.ts';
import { useWords } from '../../words/words.ts';
import { ScopeChoice } from '../mcp/scope-choice.tsx';
import { eventWords } from './extension-words.ts';
import { draftOfHook, type HookDraft, hookProblem, savedHook } from './hook-draft.ts';

const EVENTS: readonly HookEvent[] = ['pre_tool_call', 'post_tool_call', 'session_start', 'session_end'];

interface HookFormProps {
  place: ExtensionPlace;
  /** The hook to edit; a new one without it. */
  hook?: Hook;
  close: () => void;
}

/** Adds or edits a hook of the user. */
export function HookForm({ place, hook, close }: HookFormProps) {
  const { say } = useWords();
  const client = useQueryClient();
  const [draft, setDraft] = useState<HookDraft>(() => draftOfHook(hook));
  const [isTried, setIsTried] = useState(false);
  const save = useMutation({
    mutationFn: () => (hook ? changeHook : addHook)(place, savedHook(draft)),
    onSuccess: async () => {
      await refreshConfigured(client);
      close();
    },
  });
  const change = (more: Partial<HookDraft>) => setDraft({ ...draft, ...more });
  const problem = hookProblem(draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (!problem) save.mutate();
  };
  return (
    <form className="mcp-form" aria-label={say(hook ? 'hooks.form.edit' : 'hooks.add')} onSubmit={submit} noValidate>
      <h3>{hook ? say('configured.editOf', { name: hook.id }) : say('hooks.add')}</h3>
      <HookFields draft={draft} isNew={!hook} change={change} problem={isTried ? problem : undefined} />
      <p className="small muted">{say('hooks.form.runs')}</p>
      <FormFoot
        label={say(hook ? 'act.save' : 'hooks.add')}
        isSaving={save.isPending}
        error={save.error}
        close={close}
      />
    </form>
  );
}

interface HookFieldsProps {
  draft: HookDraft;
  isNew: boolean;
  change: (more: Partial<HookDraft>) => void;
  problem: ReturnType<typeof hookProblem>;
}

function HookFields({ draft, isNew, change, problem: shown }: HookFieldsProps) {
  const { say } = useWords();
  const id = useId();
  return (
    <>
      {isNew && (
        <TextField
          id={`${id}-name`}
          label={say('mcp.form.name')}
          value={draft.id}
          placeholder="guard"
          problem={shown === 'id' ? say('mcp.problem.name') : undefined}
          isFocused
          change={(next) => change({ id: next })}
        />
      )}
      {isNew && <ScopeChoice scope={draft.scope} choose={(scope) => change({ scope })} />}
      <Events draft={draft} change={change} isMissing={shown === 'events'} />
      <TextField
        id={`${id}-command`}
        label={say('mcp.form.command')}
        value={draft.command}
        placeholder="node scripts/guard.js"
        help={say(draft.scope === 'project' ? 'hooks.form.command.project' : 'hooks.form.command.home')}
        problem={shown === 'command' ? say('mcp.problem.command') : undefined}
        change={(command) => change({ command })}
      />
      <TextField
        id={`${id}-tools`}
        label={say('hooks.form.tools')}
        value={draft.tools}
        placeholder="shell | file_edit | mcp__github__*"
        help={say('hooks.form.tools.help')}
        problem={shown === 'tools' ? say('hooks.form.tools.problem') : undefined}
        change={(tools) => change({ tools })}
      />
      <TextField
        id={`${id}-limit`}
        label={say('hooks.form.limit')}
        value={draft.limit}
        placeholder="10"
        problem={shown === 'limit' ? say('hooks.form.limit.problem') : undefined}
        change={(limit) => change({ limit })}
      />
    </>
  );
}

interface EventsProps {
  draft: HookDraft;
  change: (more: Partial<HookDraft>) => void;
  isMissing: boolean;
}

function Events({ draft, change, isMissing }: EventsProps) {
  const { say } = useWords();
  const id = useId();
  return (
    <fieldset className="mcp-kinds" aria-describedby={isMissing ? id : undefined}>
      <legend className="field-label">{say('hooks.form.events')}</legend>
      {EVENTS.map((event) => (
        <label key={event} className="mcp-kind">
          <input
            type="checkbox"
            checked={draft.events.includes(event)}
            onChange={({ currentTarget: { checked } }) =>
              change({ events: EVENTS.filter((one) => (one === event ? checked : draft.events.includes(one))) })
            }
          />
          {eventWords(say, event)}
        </label>
      ))}
      {isMissing && (
        <p id={id} className="small danger">
          {say('hooks.form.events.problem')}
        </p>
      )}
    </fieldset>
  );
}
