import { useState } from 'react';
import { TextField } from '../../parts/text-field.tsx';
import { useWords } from '../../words/words.ts';
import { ChoiceField } from '../notes-tasks-memories/field.tsx';
import { CLIENT_FIELDS, CLIENT_WAYS, type ClientDraft, isSecretField } from './client-draft.ts';
import type { DraftProblem } from './server-draft.ts';

interface ClientFieldsProps {
  id: string;
  draft: ClientDraft;
  problem: DraftProblem | undefined;
  change: (draft: ClientDraft) => void;
}

/** A client that the user registered at the server; most servers need none. */
export function ClientFields({ id, draft, problem, change }: ClientFieldsProps) {
  const { say } = useWords();
  const { mode, stored } = draft;
  const [isOpen, setIsOpen] = useState(draft.id !== '');
  if (!isOpen) {
    return (
      <button type="button" className="text-button small mcp-client" onClick={() => setIsOpen(true)}>
        {say('mcp.form.client')}
      </button>
    );
  }
  return (
    <>
      <div className="field">
        <label className="field-label" htmlFor={`${id}-way`}>
          {say('mcp.form.client.way')}
        </label>
        <ChoiceField
          id={`${id}-way`}
          className="input-button"
          value={mode}
          values={CLIENT_WAYS}
          nameOf={(way) => say(`mcp.form.client.way.${way}`)}
          pick={(next) => change({ ...draft, mode: next })}
        />
        <p className="small muted">{say(`mcp.form.client.way.${mode}.help`)}</p>
      </div>
      {CLIENT_FIELDS[mode].map((name) => {
        const isSecret = isSecretField(name);
        return (
          <TextField
            key={name}
            id={`${id}-client-${name}`}
            label={say(`mcp.form.client.${name}`)}
            type={isSecret ? 'password' : 'text'}
            value={draft[name]}
            placeholder={isSecret && stored[name] !== undefined ? say('mcp.form.stored') : ''}
            problem={problem === name ? say('mcp.problem.client') : undefined}
            change={(value) => change({ ...draft, [name]: value })}
          />
        );
      })}
    </>
  );
}
