import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { Answer, Failure } from '../../../parts/states.tsx';
import { useDeletedNotice } from '../../../parts/use-deleted-notice.tsx';
import { addRule, appliesIn, removeRule, rulesQuery, SANDBOX_KEY, type SandboxRule } from '../../../wire/sandbox.ts';
import { useWords } from '../../../words/words.ts';

const nameOf = (path: string): string => path.split('/').filter(Boolean).at(-1) ?? path;

function Row({ rule, remove, isBusy }: { rule: SandboxRule; remove: () => void; isBusy: boolean }) {
  const { say } = useWords();
  const label = say('sandbox.rules.remove', { rule: rule.rule });
  return (
    <li className="sandbox-row">
      <code className="sandbox-subject">{rule.rule}</code>
      <span className="small muted" title={rule.folder ?? undefined}>
        {rule.folder === null ? say('sandbox.allProjects') : nameOf(rule.folder)}
      </span>
      <button type="button" className="icon-button" aria-label={label} title={label} disabled={isBusy} onClick={remove}>
        <X size={14} aria-hidden />
      </button>
    </li>
  );
}

/** A rule for the selected project, or for all. */
function AddRule({ folder }: { folder: string | undefined }) {
  const { say } = useWords();
  const id = useId();
  const client = useQueryClient();
  const [text, setText] = useState('');
  const add = useMutation({
    mutationFn: (rule: string) => addRule({ rule, folder }),
    onSuccess: async () => {
      setText('');
      await client.invalidateQueries({ queryKey: SANDBOX_KEY });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim()) add.mutate(text.trim());
  };
  return (
    <form onSubmit={submit}>
      <label className="field-label" htmlFor={id}>
        {folder === undefined ? say('sandbox.rules.addAll') : say('sandbox.rules.addProject', { name: nameOf(folder) })}
      </label>
      <div className="inline-form">
        <input
          id={id}
          className="input code-input"
          autoComplete="off"
          spellCheck={false}
          placeholder="Network(localhost:5432)"
          aria-describedby={`${id}-help`}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" loading={add.isPending} disabled={!text.trim()}>
          {say('sandbox.rules.add')}
        </Button>
      </div>
      <p id={`${id}-help`} className="small muted sandbox-help">
        {say('sandbox.rules.help')}
      </p>
      {add.error && <Failure error={add.error} />}
    </form>
  );
}

/** The user's rules; with a selected project, those that apply there. */
export function Rules({ folder: shown }: { folder: string | undefined }) {
  const { say } = useWords();
  const client = useQueryClient();
  const query = useQuery(rulesQuery);
  const { line, tell } = useDeletedNotice();
  const refresh = () => client.invalidateQueries({ queryKey: SANDBOX_KEY });
  const remove = useMutation({
    mutationFn: ({ id }: SandboxRule) => removeRule(id),
    onSuccess: (_answer, { rule, folder }) =>
      tell({
        text: say('sandbox.rules.removed', { rule: rule }),
        undo: async () => {
          await addRule({ rule, folder: folder ?? undefined });
          await refresh();
        },
      }),
    onSettled: refresh,
  });
  const counts = (rule: SandboxRule) => shown === undefined || appliesIn(rule, shown);
  return (
    <section className="field" aria-label={say('sandbox.rules')}>
      <h2 className="sandbox-title">{say('sandbox.rules')}</h2>
      <Answer query={query} lines={3}>
        {(rules) => {
          const shown = rules.filter(counts);
          if (shown.length === 0) return <p className="muted small">{say('sandbox.rules.none')}</p>;
          return (
            <ul className="sandbox-rows">
              {shown.map((rule) => (
                <Row key={rule.id} rule={rule} isBusy={remove.isPending} remove={() => remove.mutate(rule)} />
              ))}
            </ul>
          );
        }}
      </Answer>
      {remove.error && <Failure error={remove.error} />}
      <AddRule folder={shown} />
      {line}
    </section>
  );
}
