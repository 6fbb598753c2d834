import '../../styles/models.css';
import { Modal } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { LoaderCircle, RotateCw } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { Failure, Loading } from '../../parts/states.tsx';
import { closeOverlay } from '../../shell/overlay-state.ts';
import { api } from '../../wire/client.ts';
import { OWN_MODELS, providerOfId, settingsOfProvider } from '../../wire/model-id.ts';
import { catalogQuery, providersQuery } from '../../wire/models.ts';
import type { Catalog, ProviderRow } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';
import { blockOf } from '../settings/provider-facts.ts';
import { ageOf, CAPABILITIES, type Capability, entriesOf, type Line, linesFor, unreadyLines } from './catalog.ts';
import { ModelDetails } from './model-details.tsx';
import { CAPABILITY_WORDS, ModelLine, UnavailableModel } from './model-line.tsx';
import { isSelectable, ModelList } from './model-list.tsx';

/** Ids outside the catalog can be typed in full. */
const WHOLE_ID = /^[\w~.-]+[:/]\S+$/;
const NO_ROWS: readonly ProviderRow[] = [];

function useRefresh() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.get('/models', { query: { force: '1' } }),
    onSuccess: (catalog) => client.setQueryData(catalogQuery.queryKey, catalog),
  });
}

/** The age of the catalog, and a refresh button. */
function Age({ catalog }: { catalog: Catalog | undefined }) {
  const { say, ago } = useWords();
  const refresh = useRefresh();
  const age = catalog && ageOf(catalog);
  return (
    <>
      {refresh.error && <Failure error={refresh.error} />}
      <div className="pick-foot">
        <span className="muted small" role="status">
          {refresh.isPending
            ? say('picker.refreshing')
            : [
                age?.lists && say('picker.lists', { when: ago(age.lists) }),
                age?.facts.isOff && say('picker.facts.off'),
                age && !age.facts.isOff && age.facts.at && say('picker.facts', { when: ago(age.facts.at) }),
              ]
                .filter(Boolean)
                .join(' · ') || say('model.hint')}
        </span>
        <button type="button" className="text-button" disabled={refresh.isPending} onClick={() => refresh.mutate()}>
          {refresh.isPending ? (
            <LoaderCircle size={12} className="spin" aria-hidden />
          ) : (
            <RotateCw size={12} aria-hidden />
          )}{' '}
          {say('model.refresh')}
        </button>
      </div>
    </>
  );
}

function Filters(props: { wanted: ReadonlySet<Capability>; toggle: (name: Capability) => void }) {
  const { say } = useWords();
  return (
    <div className="model-filters" role="group" aria-label={say('picker.filters')}>
      <span className="small muted" aria-hidden>
        {say('picker.filters')}
      </span>
      {CAPABILITIES.map((name) => (
        <button
          key={name}
          type="button"
          className="chip"
          aria-pressed={props.wanted.has(name)}
          onClick={() => props.toggle(name)}
        >
          {say(CAPABILITY_WORDS[name])}
        </button>
      ))}
    </div>
  );
}

function useLines(search: string, capabilities: ReadonlySet<Capability>) {
  const { say } = useWords();
  const catalog = useQuery(catalogQuery);
  const providers = useQuery(providersQuery);
  const rows = providers.data ?? NO_ROWS;
  const ours = say('localModel.title');
  const labels = useMemo(
    () => new Map([...rows.map((row) => [row.id, row.label] as const), [OWN_MODELS, ours]]),
    [rows, ours],
  );
  const models = catalog.data?.models;
  const isKnown = !catalog.isPending;
  const entries = useMemo(() => entriesOf(models ?? [], (id) => labels.get(id) ?? id), [models, labels]);
  const lines = useMemo(() => {
    const listed = new Set(entries.map(({ model }) => model.provider));
    const found = linesFor(entries, { search, capabilities });
    // Unavailable models have no known capabilities: they are hidden when filtering by capability.
    if (capabilities.size > 0 || !isKnown) return found;
    return [...found, ...unreadyLines(rows, listed, search)];
  }, [entries, rows, search, capabilities, isKnown]);
  return { catalog, rows, entries, labels, lines };
}

/** The row of an id typed in full, with its problem. */
function typedLine(search: string, rows: readonly ProviderRow[], known: ReadonlySet<string>): Line | undefined {
  const id = search.trim();
  if (!WHOLE_ID.test(id) || known.has(id)) return undefined;
  const row = rows.find((candidate) => candidate.id === providerOfId(id));
  const why = row && row.execution !== 'agent' ? blockOf(row) : undefined;
  if (row && why) {
    const model = id.startsWith(`${row.id}:`) ? id.slice(row.id.length + 1) : id;
    return { kind: 'unready', key: `typed ${id}`, provider: row.id, model, why };
  }
  return { kind: 'typed', key: `typed ${id}`, id };
}

/** Search text, results, and the current row. */
function usePlace(value: string) {
  const [search, setSearch] = useState('');
  const [capabilities, setCapabilities] = useState<ReadonlySet<Capability>>(new Set());
  /** Key of the current row; another search starts at its first row. */
  const [walked, setWalked] = useState<string>();
  const { catalog, rows, entries, labels, lines: listed } = useLines(search, capabilities);
  const lines = useMemo(() => {
    const typed = typedLine(search, rows, new Set(entries.map(({ id }) => id)));
    return typed ? [...listed, typed] : listed;
  }, [listed, search, rows, entries]);
  const walkedAt = walked === undefined ? -1 : lines.findIndex(({ key }) => key === walked);
  const chosenAt = search === '' ? lines.findIndex((line) => line.kind === 'model' && line.id === value) : -1;
  return {
    catalog,
    lines,
    search,
    capabilities,
    labelOf: (id: string) => labels.get(id) ?? id,
    at: walkedAt >= 0 ? walkedAt : chosenAt >= 0 ? chosenAt : isSelectable(lines, 0, 0),
    setAt: (place: number) => setWalked(lines[place]?.key),
    setSearch(text: string) {
      setSearch(text);
      setWalked(undefined);
    },
    toggle(name: Capability) {
      const next = new Set(capabilities);
      if (!next.delete(name)) next.add(name);
      setCapabilities(next);
      setWalked(undefined);
    },
  };
}

type LabelOf = (provider: string) => string;

function GroupHead({ line, labelOf }: { line: Extract<Line, { kind: 'group' }>; labelOf: LabelOf }) {
  const { say, ago, number } = useWords();
  if (!line.isReady) return say('picker.unready');
  return (
    <>
      <span>{labelOf(line.provider)}</span>
      <span className="tabular">
        {say('picker.count', { count: line.count, shown: number(line.count) })}
        {line.observedAt && ` · ${say('picker.read', { when: ago(line.observedAt) })}`}
      </span>
    </>
  );
}

function Drawn({ line, value, labelOf }: { line: Line; value: string; labelOf: LabelOf }) {
  const { say } = useWords();
  if (line.kind === 'model') return <ModelLine model={line.model} isChosen={line.id === value} />;
  if (line.kind === 'typed') return <span className="pick-name">{say('model.use', { id: line.id })}</span>;
  if (line.kind === 'group') return <GroupHead line={line} labelOf={labelOf} />;
  const provider = labelOf(line.provider);
  return <UnavailableModel name={line.model ?? provider} provider={provider} why={line.why} />;
}

/** The searchable catalog; the same wherever a model is chosen. */
export function ModelPicker({ value, choose }: { value: string; choose: (id: string) => void }) {
  const { say } = useWords();
  const navigate = useNavigate();
  const { catalog, lines, at, labelOf, ...place } = usePlace(value);
  const current = lines[at];
  const take = (line: Line) => {
    if (line.kind === 'group') return;
    closeOverlay();
    if (line.kind === 'unready') void navigate(settingsOfProvider(line.provider));
    else choose(line.id);
  };
  const failure = catalog.isError && <Failure error={catalog.error} retry={() => void catalog.refetch()} />;
  return (
    <Modal
      opened
      onClose={closeOverlay}
      withCloseButton={false}
      padding={0}
      size={760}
      yOffset="8vh"
      centered={false}
      attributes={{ content: { 'aria-label': say('model.choose') } }}
    >
      <ModelList
        label={say('model.choose')}
        placeholder={say('model.search')}
        search={place.search}
        setSearch={place.setSearch}
        lines={lines}
        at={at}
        setAt={place.setAt}
        take={take}
        draw={(line) => <Drawn line={line} value={value} labelOf={labelOf} />}
        none={failure || (catalog.data ? say('model.none') : <Loading />)}
      />
      <Filters wanted={place.capabilities} toggle={place.toggle} />
      <div className="model-details">
        {catalog.data && current?.kind === 'model' && (
          <ModelDetails catalog={catalog.data} model={current.model} id={current.id} />
        )}
        {current?.kind === 'unready' && (
          <p>{say(`picker.fix.${current.why}`, { provider: labelOf(current.provider) })}</p>
        )}
      </div>
      {lines.length > 0 && failure}
      <Age catalog={catalog.data} />
    </Modal>
  );
}
