import { Button } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useState } from 'react';
import { Failure } from '../../parts/states.tsx';
import { MEMORY_KINDS, type MemoryFields } from '../../wire/notes-tasks-memories.ts';
import { useWords } from '../../words/words.ts';
import { ChoiceField, Field } from './field.tsx';

interface MemoryFormProps {
  first?: MemoryFields;
  isBusy: boolean;
  error: unknown;
  save: (fields: MemoryFields) => void;
  close: () => void;
}

/** Changes that could not be saved stay in the form; Esc closes it. */
export function MemoryForm({ first, isBusy, error, save, close }: MemoryFormProps) {
  const { say } = useWords();
  const [fields, setFields] = useState<MemoryFields>({
    title: first?.title ?? '',
    content: first?.content ?? '',
    kind: first?.kind ?? 'preference',
  });
  const isWhole = fields.title.trim() !== '' && fields.content.trim() !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isWhole) save(fields);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
  };
  return (
    <form className="memory-form" onSubmit={submit} onKeyDown={press}>
      <Field label={say('records.memory.title')}>
        {(id) => (
          <input
            id={id}
            className="input"
            autoFocus
            maxLength={80}
            value={fields.title}
            onChange={(event) => setFields({ ...fields, title: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label={say('records.memory.content')}>
        {(id) => (
          <textarea
            id={id}
            className="input"
            rows={3}
            maxLength={600}
            value={fields.content}
            onChange={(event) => setFields({ ...fields, content: event.currentTarget.value })}
          />
        )}
      </Field>
      <Field label={say('records.memory.kind')}>
        {(id) => (
          <ChoiceField
            id={id}
            className="input"
            value={fields.kind}
            values={MEMORY_KINDS}
            nameOf={(kind) => say(`records.kind.${kind}`)}
            pick={(kind) => setFields({ ...fields, kind })}
          />
        )}
      </Field>
      {error !== undefined && error !== null && <Failure error={error} />}
      <div className="records-acts">
        <Button variant="default" onClick={close}>
          {say('act.cancel')}
        </Button>
        <Button variant="filled" type="submit" loading={isBusy} disabled={!isWhole}>
          {say('act.save')}
        </Button>
      </div>
    </form>
  );
}
