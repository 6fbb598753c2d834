import { Plus, X } from 'lucide-react';
import { useWords } from '../../words/words.ts';
import { type DraftField, isSecretName, newField } from './server-draft.ts';

interface FieldRowsProps {
  kind: 'environment' | 'headers';
  fields: readonly DraftField[];
  change: (fields: readonly DraftField[]) => void;
}

/** Variables or headers, each with a value that may be a secret. */
export function FieldRows({ kind, fields, change }: FieldRowsProps) {
  const { say } = useWords();
  const amend = (key: number, more: Partial<DraftField>) =>
    change(fields.map((field) => (field.key === key ? { ...field, ...more } : field)));
  return (
    <fieldset className="mcp-fields">
      <legend className="field-label">{say(`mcp.form.${kind}`)}</legend>
      {fields.map((field, at) => (
        <FieldRow
          key={field.key}
          field={field}
          number={at + 1}
          kind={kind}
          amend={(more) => amend(field.key, more)}
          remove={() => change(fields.filter(({ key }) => key !== field.key))}
        />
      ))}
      <button type="button" className="text-button small" onClick={() => change([...fields, newField()])}>
        <Plus size={14} aria-hidden /> {say(`mcp.form.${kind}.add`)}
      </button>
    </fieldset>
  );
}

interface FieldRowProps {
  field: DraftField;
  number: number;
  kind: FieldRowsProps['kind'];
  amend: (more: Partial<DraftField>) => void;
  remove: () => void;
}

function FieldRow({ field, number, kind, amend, remove }: FieldRowProps) {
  const { say } = useWords();
  const { name, value, isSecret, isStored } = field;
  const label = name || say('mcp.form.field', { number });
  return (
    <div className="mcp-field">
      <input
        className="input code-input"
        autoComplete="off"
        spellCheck={false}
        aria-label={say('mcp.form.field.name', { number })}
        placeholder={kind === 'headers' ? 'Authorization' : 'API_KEY'}
        value={name}
        onChange={(event) => {
          const next = event.currentTarget.value;
          // A stored secret belongs to its name.
          amend({ name: next, isStored: false, isSecret: isSecret || isSecretName(next) });
        }}
      />
      <input
        className="input code-input"
        type={isSecret ? 'password' : 'text'}
        autoComplete="off"
        spellCheck={false}
        aria-label={say('mcp.form.field.value', { name: label })}
        placeholder={isStored ? say('mcp.form.stored') : ''}
        value={value}
        onChange={(event) => amend({ value: event.currentTarget.value })}
      />
      <label className="mcp-secret small">
        <input
          type="checkbox"
          checked={isSecret}
          onChange={(event) => amend({ isSecret: event.currentTarget.checked })}
        />
        {say('mcp.form.secret')}
        <span className="unseen">{label}</span>
      </label>
      <button
        type="button"
        className="icon-button"
        aria-label={say('mcp.form.field.remove', { name: label })}
        title={say('mcp.form.field.remove', { name: label })}
        onClick={remove}
      >
        <X size={14} aria-hidden />
      </button>
    </div>
  );
}
