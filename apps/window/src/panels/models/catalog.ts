import { foldedText } from '../../shell/pick-list.tsx';
import { wireIdOf } from '../../wire/model-id.ts';
import type { Catalog, ModelRow, ProviderRow } from '../../wire/records.ts';
import { blockOf } from '../settings/provider-facts.ts';

export type Capability = keyof ModelRow['capabilities'];
export const CAPABILITIES = ['toolUse', 'vision', 'reasoning'] as const satisfies readonly Capability[];

/** Why a model is not available. */
export type Block = NonNullable<ReturnType<typeof blockOf>> | 'no-list';

/** A row of the model list. */
export type Line =
  | { kind: 'group'; key: string; provider: string; count: number; observedAt: string | null; isReady: boolean }
  | { kind: 'model'; key: string; id: string; model: ModelRow }
  /** A full id that no list contains. */
  | { kind: 'typed'; key: string; id: string }
  /** Not available: a known model of a provider, or the provider itself. */
  | { kind: 'unready'; key: string; provider: string; model: string | undefined; why: Block };

export interface Entry {
  id: string;
  model: ModelRow;
  /** The searched texts: names first, then everything. */
  names: string;
  all: string;
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** The catalog indexed for search, by provider and name. */
export function entriesOf(models: readonly ModelRow[], label: (provider: string) => string): Entry[] {
  return models
    .map((model) => {
      const id = wireIdOf(model.provider, model.id);
      const names = foldedText(`${model.name} ${model.id}`);
      return { id, model, names, all: `${names} ${foldedText(`${label(model.provider)} ${model.provider}`)}` };
    })
    .sort(
      (one, other) =>
        collator.compare(label(one.model.provider), label(other.model.provider)) ||
        collator.compare(one.model.name || one.model.id, other.model.name || other.model.id),
    );
}

export interface ModelFilter {
  search: string;
  /** Only models known to have these capabilities. */
  capabilities: ReadonlySet<Capability>;
}

function linesOf(entries: readonly Entry[], part: string): Line[] {
  const lines: Line[] = [];
  let group: Extract<Line, { kind: 'group' }> | undefined;
  for (const { id, model } of entries) {
    if (group?.provider !== model.provider) {
      const { provider, observedAt } = model;
      group = { kind: 'group', key: `${part} ${provider}`, provider, count: 0, observedAt, isReady: true };
      lines.push(group);
    }
    group.count += 1;
    lines.push({ kind: 'model', key: `${part} ${id}`, id, model });
  }
  return lines;
}

/** "llama" matches models of that name before all models of the provider Ollama. */
export function linesFor(entries: readonly Entry[], { search, capabilities }: ModelFilter): Line[] {
  const words = foldedText(search).split(/\s+/);
  const byName: Entry[] = [];
  const byProvider: Entry[] = [];
  for (const entry of entries) {
    if ([...capabilities].some((name) => entry.model.capabilities[name] !== 'observed-yes')) continue;
    if (words.every((word) => entry.names.includes(word))) byName.push(entry);
    else if (words.every((word) => entry.all.includes(word))) byProvider.push(entry);
  }
  return [...linesOf(byName, 'name'), ...linesOf(byProvider, 'provider')];
}

/** Models available after setup: without a search only the providers, with one their known models. */
export function unreadyLines(rows: readonly ProviderRow[], listed: ReadonlySet<string>, search: string): Line[] {
  const words = foldedText(search).split(/\s+/);
  const isFound = (text: string) => words.every((word) => foldedText(text).includes(word));
  const lines = rows.flatMap((row): Line[] => {
    if (listed.has(row.id)) return [];
    const why = row.execution === 'agent' ? 'not-set-up' : (blockOf(row) ?? 'no-list');
    const line = (model: string | undefined): Line => ({
      kind: 'unready',
      key: `unready ${row.id} ${model ?? ''}`,
      provider: row.id,
      model,
      why,
    });
    if (search.trim() === '') return [line(undefined)];
    const models = row.reserveModels.filter((model) => isFound(`${model} ${row.id} ${row.label}`)).map(line);
    return models.length === 0 && isFound(`${row.label} ${row.id}`) ? [line(undefined)] : models;
  });
  if (lines.length === 0) return [];
  const head: Line = {
    kind: 'group',
    key: 'unready',
    provider: '',
    count: lines.length,
    observedAt: null,
    isReady: false,
  };
  return [head, ...lines];
}

export interface CatalogAge {
  /** When the oldest of the lists was fetched. */
  lists: string | undefined;
  /** When the public catalog was fetched, and whether it is disabled. */
  facts: { isOff: boolean; at: string | undefined };
}

export function ageOf({ models, publicCatalog }: Catalog): CatalogAge {
  const seen = models.flatMap(({ observedAt }) => observedAt ?? []);
  return {
    lists: seen.reduce<string | undefined>(
      (oldest, at) => (oldest === undefined || at < oldest ? at : oldest),
      undefined,
    ),
    facts: { isOff: !publicCatalog.isOn, at: publicCatalog.observedAt ?? undefined },
  };
}
