import { Button } from '@mantine/core';
import { Check } from 'lucide-react';
import { type FormEvent, type InputHTMLAttributes, useId, useState } from 'react';
import { Failure } from '../../parts/states.tsx';
import { api } from '../../wire/client.ts';
import type { ProviderRow } from '../../wire/records.ts';
import { useWords, type Words } from '../../words/words.ts';
import { useConnectionChange, useProviderAction } from './provider-actions.ts';
import {
  isPlatform,
  losesKeys,
  PLATFORM_FIELDS,
  type PlatformField,
  type PlatformId,
  type PlatformParts,
  partsOfAddress,
  textOfParts,
} from './provider-facts.ts';

/** The server's maximum timeout, in seconds. */
const [SHORTEST_WAIT, LONGEST_WAIT] = [5, 300];

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: string;
}

function Field({ label, hint, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input id={id} {...input} aria-describedby={hint === undefined ? undefined : `${id}-hint`} />
      {hint !== undefined && (
        <p className="small muted" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** Form content: an address, or the parts of a cloud platform's address. */
interface Draft {
  text: string;
  /** Absent for a full address. */
  parts: PlatformParts | undefined;
  seconds: string;
}

function draftOf(row: ProviderRow): Draft {
  const text = row.endpoint ?? row.defaultEndpoint ?? '';
  const parts = isPlatform(row.id) ? (text === '' ? {} : partsOfAddress(row.id, text)) : undefined;
  return { text, parts, seconds: String(row.timeoutSeconds) };
}

interface DraftProps {
  row: ProviderRow;
  draft: Draft;
  change: (part: Partial<Draft>) => void;
}

function hintOf(id: PlatformId, field: PlatformField, say: Words['say']): string {
  if (field === 'resource') return say('platform.azure.hint');
  if (field === 'project') return say('platform.vertex.project.hint');
  return say(id === 'vertex' ? 'platform.vertex.region.hint' : 'platform.bedrock.region.hint');
}

/** Resource, region or project, in the platform's terms; a full address is also accepted. */
function PlatformFields({ row, draft, change }: DraftProps) {
  const { say } = useWords();
  if (!isPlatform(row.id)) return null;
  const { id } = row;
  const { parts } = draft;
  return (
    <>
      {parts ? (
        PLATFORM_FIELDS[id].map((field) => (
          <Field
            key={field}
            label={say(`platform.${field}`)}
            hint={hintOf(id, field, say)}
            className="input code-input"
            autoComplete="off"
            spellCheck={false}
            value={parts[field] ?? ''}
            onChange={(event) => change({ parts: { ...parts, [field]: event.currentTarget.value } })}
          />
        ))
      ) : (
        <WholeAddress row={row} draft={draft} change={change} />
      )}
      <button
        type="button"
        className="text-button start"
        onClick={() => change({ parts: parts ? undefined : (partsOfAddress(id, draft.text) ?? {}) })}
      >
        {say(parts ? 'platform.whole' : `platform.${id}`)}
      </button>
    </>
  );
}

function WholeAddress({ draft, change }: DraftProps) {
  const { say } = useWords();
  return (
    <Field
      label={say('provider.endpoint')}
      className="input code-input"
      inputMode="url"
      spellCheck={false}
      value={draft.text}
      onChange={(event) => change({ text: event.currentTarget.value })}
    />
  );
}

/** The resulting address for the interface; null while it is incomplete. */
function endpointOf(row: ProviderRow, { text, parts }: Draft): string | null {
  if (parts && isPlatform(row.id)) return textOfParts(row.id, parts) ?? null;
  return text.trim() === '' ? null : text.trim();
}

/** Also where the interface's own operation leaves the address fixed. */
const hasAddress = (row: ProviderRow): boolean => row.supportsEndpoint || row.defaultEndpoint !== null;

/** For a fixed address: the one to save, null for the default, undefined when it is unchanged. */
function ownAddress(row: ProviderRow, endpoint: string | null): string | null | undefined {
  if (row.supportsEndpoint || !hasAddress(row) || endpoint === null || endpoint === row.endpoint) return undefined;
  return endpoint === row.defaultEndpoint ? null : endpoint;
}

interface RuntimeActions {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  save: (event: FormEvent) => void;
  restore: () => void;
  pending: 'save' | 'restore' | undefined;
  isSaved: boolean;
  error: Error | null;
}

function useRuntime(row: ProviderRow, tellUnsaved: (isUnsaved: boolean) => void): RuntimeActions {
  const [draft, setDraft] = useState(() => draftOf(row));
  const path = { providerId: row.id };
  const save = useProviderAction(row.id, (body: { endpoint?: string; timeoutSeconds?: number }) =>
    api.post('/providers/{providerId}/runtime', { path, body }),
  );
  const connect = useConnectionChange(row.id);
  const reset = useProviderAction(row.id, (_body: void) => api.post('/providers/{providerId}/runtime/reset', { path }));
  const endpoint = endpointOf(row, draft);
  return {
    draft,
    change(part) {
      setDraft({ ...draft, ...part });
      save.reset();
      tellUnsaved(true);
    },
    save(event) {
      event.preventDefault();
      const own = ownAddress(row, endpoint);
      const limits = {
        ...(row.supportsEndpoint && endpoint !== null ? { endpoint } : {}),
        ...(row.supportsTimeout ? { timeoutSeconds: Number(draft.seconds) } : {}),
      };
      const saveLimits = () => save.mutate(limits, { onSuccess: () => tellUnsaved(false) });
      if (own === undefined) saveLimits();
      else connect.mutate({ endpoint: own }, { onSuccess: saveLimits });
    },
    restore() {
      reset.mutate(undefined, {
        onSuccess() {
          setDraft(draftOf({ ...row, endpoint: row.defaultEndpoint }));
          tellUnsaved(false);
        },
      });
    },
    pending: save.isPending || connect.isPending ? 'save' : reset.isPending ? 'restore' : undefined,
    isSaved: save.isSuccess,
    error: connect.error ?? save.error ?? reset.error,
  };
}

interface RuntimeProps {
  row: ProviderRow;
  tellUnsaved: (isUnsaved: boolean) => void;
}

/** A provider's address and timeout. */
export function Runtime({ row, tellUnsaved }: RuntimeProps) {
  const { say } = useWords();
  const { draft, change, save, restore, pending, isSaved, error } = useRuntime(row, tellUnsaved);
  const canRestore = row.endpointConfigured && row.defaultEndpoint !== null;
  const isLosing = losesKeys(
    row,
    draft.parts && isPlatform(row.id) ? completeParts(row, draft) : endpointOf(row, draft),
  );
  if (!row.supportsEndpoint && !row.supportsTimeout) return null;
  return (
    <form className="runtime" onSubmit={save}>
      {hasAddress(row) &&
        (isPlatform(row.id) ? (
          <PlatformFields row={row} draft={draft} change={change} />
        ) : (
          <WholeAddress row={row} draft={draft} change={change} />
        ))}
      {row.supportsTimeout && (
        <Field
          label={say('provider.timeout')}
          className="input tabular"
          type="number"
          min={SHORTEST_WAIT}
          max={LONGEST_WAIT}
          required
          value={draft.seconds}
          onChange={(event) => change({ seconds: event.currentTarget.value })}
        />
      )}
      {isLosing && (
        <p className="small warning" role="status">
          {say('provider.endpoint.losesKeys')}
        </p>
      )}
      <div className="inline-form">
        <Button
          type="submit"
          loading={pending === 'save'}
          disabled={hasAddress(row) && endpointOf(row, draft) === null}
        >
          {say('act.save')}
        </Button>
        {canRestore && (
          <Button variant="subtle" color="gray" loading={pending === 'restore'} onClick={restore}>
            {say('provider.endpoint.reset')}
          </Button>
        )}
        {isSaved && (
          <span className="small success" role="status">
            <Check size={12} aria-hidden /> {say('provider.saved')}
          </span>
        )}
      </div>
      {canRestore && losesKeys(row, row.defaultEndpoint) && (
        <p className="small muted">{say('provider.endpoint.resetLosesKeys')}</p>
      )}
      {error && <Failure error={error} />}
    </form>
  );
}

function completeParts(row: ProviderRow, draft: Draft): PlatformParts | null {
  return draft.parts && endpointOf(row, draft) !== null ? draft.parts : null;
}
