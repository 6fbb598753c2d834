import '../../styles/forms.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { FormFoot } from '../../parts/form-foot.tsx';
import { TextField } from '../../parts/text-field.tsx';
import {
  addPlugin,
  type ExtensionPlace,
  type OwnScope,
  previewPlugin,
  refreshConfigured,
} from '../../wire/configured-extensions.ts';
import { useWords } from '../../words/words.ts';
import { ScopeChoice } from '../mcp/scope-choice.tsx';
import { TrustFacts } from './trust-facts.tsx';

/** Adds the plugin of a folder, after it was shown what would run. */
export function PluginForm({ place, close }: { place: ExtensionPlace; close: () => void }) {
  const { say } = useWords();
  const id = useId();
  const client = useQueryClient();
  const [path, setPath] = useState('');
  const [scope, setScope] = useState<OwnScope>('project');
  const preview = useMutation({ mutationFn: () => previewPlugin(path.trim()) });
  const shown = preview.data;
  const add = useMutation({
    mutationFn: () => addPlugin(place, { path: path.trim(), fingerprint: shown?.fingerprint ?? '', scope }),
    onSuccess: async () => {
      await refreshConfigured(client);
      close();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (shown) add.mutate();
    else preview.mutate();
  };
  const change = (next: string) => {
    setPath(next);
    preview.reset();
    add.reset();
  };
  const error = preview.error ?? add.error;
  return (
    <form className="mcp-form" aria-label={say('plugins.add')} onSubmit={submit} noValidate>
      <h3>{say('plugins.add')}</h3>
      <TextField
        id={`${id}-path`}
        label={say('plugins.form.folder')}
        value={path}
        placeholder="/home/me/plugins/helper"
        help={say('plugins.form.folder.help')}
        isFocused
        change={change}
      />
      <ScopeChoice scope={scope} choose={setScope} />
      {shown && (
        <>
          <p className="small">
            <b>{shown.name}</b> {shown.description}
          </p>
          <TrustFacts
            request={{
              kind: 'plugins',
              id: shown.id,
              name: shown.name,
              commands: shown.commands.map(({ origin, command }) => ({ origin: origin, command: command })),
              warnings: shown.warnings.map(({ origin, warning }) => `${origin}: ${warning}`),
            }}
          />
        </>
      )}
      <FormFoot
        label={say(shown ? 'plugins.form.trust' : 'plugins.form.look')}
        isSaving={preview.isPending || add.isPending}
        isDisabled={path.trim() === ''}
        error={error}
        close={close}
      />
    </form>
  );
}
