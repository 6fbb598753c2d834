import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { Answer, Failure } from '../../parts/states.tsx';
import { setWatch, watchQuery } from '../../wire/automation-hooks.ts';
import { useWords } from '../../words/words.ts';

/** Changes of which files start an automation. */
export function WatchedFiles({ id }: { id: string }) {
  const { say } = useWords();
  const query = useQuery(watchQuery(id));
  return (
    <section className="field" aria-label={say('watch.title')}>
      <h2>{say('watch.title')}</h2>
      <Answer query={query} lines={2}>
        {({ patterns }) => <Patterns key={patterns ?? ''} id={id} saved={patterns ?? ''} />}
      </Answer>
    </section>
  );
}

function Patterns({ id, saved }: { id: string; saved: string }) {
  const { say } = useWords();
  const fieldId = useId();
  const client = useQueryClient();
  const [draft, setDraft] = useState(saved);
  const given = draft.trim();
  const save = useMutation({
    mutationFn: () => setWatch(id, given === '' ? null : given),
    onSuccess: () => client.invalidateQueries({ queryKey: watchQuery(id).queryKey }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className="field" onSubmit={submit}>
      <label className="small muted" htmlFor={fieldId}>
        {say('watch.why')}
      </label>
      <textarea
        id={fieldId}
        className="input"
        rows={2}
        spellCheck={false}
        placeholder="src/**/*.ts"
        value={draft}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      <div>
        <Button type="submit" disabled={given === saved} loading={save.isPending}>
          {say('act.save')}
        </Button>
      </div>
      {save.error && <Failure error={save.error} />}
    </form>
  );
}
