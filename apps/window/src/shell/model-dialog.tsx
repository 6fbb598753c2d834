import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, Eye, RotateCw, Wrench } from 'lucide-react';
import { useState } from 'react';
import { Failure, Loading } from '../parts/states.tsx';
import { address, read } from '../wire/call.ts';
import { modelsQuery, providersQuery } from '../wire/queries.ts';
import type { Capability, ModelRow } from '../wire/records.ts';
import { useWords, type WordKey } from '../words/words.ts';
import { closeOverlay } from './overlay-state.ts';
import { PickDialog } from './pick-dialog.tsx';
import { matches, type PickEntry } from './pick-list.tsx';

const MOST_SHOWN = 80;

/** The id by which a session asks for a model of the catalog. */
export function wireIdOf(model: ModelRow): string {
  const isWhole = model.provider === 'aggregator' || model.id.startsWith(`${model.provider}:`);
  return isWhole ? model.id : `${model.provider}:${model.id}`;
}

function capabilityKey(value: Capability): WordKey {
  if (value === 'osservato-si') return 'capability.yes';
  return value === 'osservato-no' ? 'capability.no' : 'capability.unknown';
}

function Facts({ model }: { model: ModelRow }) {
  const { say, short } = useWords();
  const { toolUse, visione } = model.capacita;
  return (
    <span className="model-facts tabular">
      <span data-known={toolUse} title={`${say('capability.tools')}: ${say(capabilityKey(toolUse))}`}>
        <Wrench size={12} aria-label={`${say('capability.tools')}: ${say(capabilityKey(toolUse))}`} />
        {toolUse === 'unknown' && '?'}
      </span>
      <span data-known={visione} title={`${say('capability.vision')}: ${say(capabilityKey(visione))}`}>
        <Eye size={12} aria-label={`${say('capability.vision')}: ${say(capabilityKey(visione))}`} />
        {visione === 'unknown' && '?'}
      </span>
      <span className="model-window">
        {model.contextLength === null
          ? say('model.undeclared')
          : say('model.window', { size: short(model.contextLength) })}
      </span>
    </span>
  );
}

interface Listing {
  value: string;
  /** What people call a provider. */
  label: (provider: string) => string;
  pick: (id: string) => void;
}

function entriesOf(models: readonly ModelRow[], { value, label, pick }: Listing): PickEntry[] {
  return models.slice(0, MOST_SHOWN).map((model) => {
    const id = wireIdOf(model);
    return {
      id,
      group: label(model.provider),
      node: (
        <>
          <span className="pick-check">{id === value && <Check size={14} aria-hidden />}</span>
          <span className="pick-name">{model.nome || model.id}</span>
          <Facts model={model} />
        </>
      ),
      pick: () => pick(id),
    };
  });
}

/** The catalog, searched; an id that it does not list can be written whole. */
export function ModelDialog({ value, choose }: { value: string; choose: (id: string) => void }) {
  const { say } = useWords();
  const client = useQueryClient();
  const [search, setSearch] = useState('');
  const models = useQuery(modelsQuery);
  const providers = useQuery(providersQuery);
  const label = (id: string) => providers.data?.find((row) => row.id === id)?.label ?? id;
  const pick = (id: string) => {
    closeOverlay();
    choose(id);
  };
  // "llama" means the models of that name before everything of a provider called Ollama.
  const rank = (model: ModelRow) => (matches(`${model.nome} ${model.id}`, search) ? 0 : 1);
  const found = (models.data ?? [])
    .filter((model) => matches(`${model.nome} ${model.id} ${label(model.provider)} ${model.provider}`, search))
    .sort((one, other) => rank(one) - rank(other) || label(one.provider).localeCompare(label(other.provider)));
  const entries = entriesOf(found, { value, label, pick });
  const typed = search.trim();
  if (/^[\w~.-]+[:/]\S+$/.test(typed) && !entries.some((entry) => entry.id === typed)) {
    entries.push({
      id: 'typed',
      group: say('model.other'),
      node: <span className="pick-name">{say('model.use', { id: typed })}</span>,
      pick: () => pick(typed),
    });
  }
  const refresh = async () => {
    const { modelli } = await read<{ modelli: ModelRow[] }>(address(['models'], { forza: '1' }));
    client.setQueryData(modelsQuery.queryKey, modelli);
  };
  return (
    <PickDialog
      size={640}
      label={say('model.choose')}
      placeholder={say('model.search')}
      search={search}
      setSearch={setSearch}
      entries={entries}
      none={
        models.isError ? (
          <Failure error={models.error} retry={() => void models.refetch()} />
        ) : models.data ? (
          say(models.data.length === 0 ? 'model.emptyCatalog' : 'model.none')
        ) : (
          <Loading />
        )
      }
    >
      <div className="pick-foot">
        <span className="muted small">{say('model.hint')}</span>
        <button type="button" className="text-button" onClick={() => void refresh().catch(() => models.refetch())}>
          <RotateCw size={12} aria-hidden /> {say('model.refresh')}
        </button>
      </div>
    </PickDialog>
  );
}
