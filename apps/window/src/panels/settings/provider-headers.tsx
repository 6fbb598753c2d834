import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Trash2 } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { Answer, Failure } from '../../parts/states.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { Connection, ProviderRow } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';
import { connectionQuery, useConnectionChange } from './provider-actions.ts';

type Header = Connection['headers'][number];

interface HeadersProps {
  row: ProviderRow;
  /** Reports whether the form has unsaved content. */
  tellUnsaved: (isUnsaved: boolean) => void;
}

/** Headers that every request to one provider carries. Their values are never shown again. */
export function Headers({ row, tellUnsaved }: HeadersProps) {
  const { say } = useWords();
  const query = useQuery(connectionQuery(row.id));
  return (
    <div className="field">
      <p className="small muted">{say('header.why')}</p>
      <Answer query={query} lines={2}>
        {({ headers }) => <HeaderList id={row.id} headers={headers} tellUnsaved={tellUnsaved} />}
      </Answer>
    </div>
  );
}

interface ListProps {
  id: string;
  headers: Header[];
  tellUnsaved: (isUnsaved: boolean) => void;
}

function HeaderList({ id, headers, tellUnsaved }: ListProps) {
  const { say } = useWords();
  const change = useConnectionChange(id);
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const fields = useId();
  const field = useRef<HTMLInputElement>(null);
  const edit = (nextName: string, nextValue: string) => {
    setName(nextName);
    setValue(nextValue);
    tellUnsaved(nextName.trim() !== '' || nextValue !== '');
  };
  const others = (gone: string) =>
    headers.filter(({ name }) => name !== gone.toLowerCase()).map(({ name }) => ({ name }));
  const add = (event: FormEvent) => {
    event.preventDefault();
    const trimmed = name.trim();
    const headers = [...others(trimmed), { name: trimmed, value: value.trim() }];
    change.mutate({ headers }, { onSuccess: () => edit('', '') });
  };
  return (
    <>
      {headers.length > 0 && (
        <ul className="pool" aria-label={say('header.title')}>
          {headers.map((header) => (
            <HeaderLine
              key={header.name}
              header={header}
              isBusy={change.isPending}
              remove={() => change.mutate({ headers: others(header.name) })}
              enterAgain={() => {
                edit(header.name, '');
                field.current?.focus();
              }}
            />
          ))}
        </ul>
      )}
      <form className="header-form" onSubmit={add}>
        <TextField
          id={`${fields}-name`}
          label={say('header.name')}
          value={name}
          change={(text) => edit(text, value)}
          placeholder="X-Team"
        />
        <TextField
          id={`${fields}-value`}
          label={say('header.value')}
          type="password"
          value={value}
          change={(text) => edit(name, text)}
          input={field}
        />
        <Button type="submit" loading={change.isPending} disabled={!name.trim() || !value.trim()}>
          {say('header.add')}
        </Button>
      </form>
      {change.error && <Failure error={change.error} />}
    </>
  );
}

interface LineProps {
  header: Header;
  isBusy: boolean;
  remove: () => void;
  enterAgain: () => void;
}

function HeaderLine({ header: { name, isSent }, isBusy, remove, enterAgain }: LineProps) {
  const { say } = useWords();
  const again = say('header.again', { name: name });
  const removing = say('header.remove', { name: name });
  return (
    <li>
      <div className="pooled">
        <code>{name}</code>
        <span className={`small ${isSent ? 'success' : 'warning'}`}>
          {say(isSent ? 'header.saved' : 'header.elsewhere')}
        </span>
        <span className="pooled-acts">
          <button type="button" className="icon-button" aria-label={again} title={again} onClick={enterAgain}>
            <KeyRound size={14} aria-hidden />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={removing}
            title={removing}
            disabled={isBusy}
            onClick={remove}
          >
            <Trash2 size={14} aria-hidden />
          </button>
        </span>
      </div>
    </li>
  );
}
