import { providerOfId } from './model-id.ts';
import { type Catalog, EFFORTS, type Effort } from './records.ts';

const fits = (pattern: string, model: string): boolean =>
  pattern === '*' || (pattern.endsWith('*') ? model.startsWith(pattern.slice(0, -1)) : pattern === model);

/** Requested level → sent level, null for none; undefined if the model's levels are unknown. */
export function levelsSent(
  { directWires, catalogWire }: Pick<Catalog, 'directWires' | 'catalogWire'>,
  id: string,
): Partial<Record<Effort, string | null>> | undefined {
  const provider = providerOfId(id);
  const model = (id.startsWith(`${provider}:`) ? id.slice(provider.length + 1) : id).replace(/^~/, '');
  const patterns = (provider === 'aggregator' ? catalogWire : directWires)[provider];
  if (!patterns) return undefined;
  const pattern = Object.keys(patterns).find((candidate) => fits(candidate, model));
  return pattern === undefined ? undefined : patterns[pattern];
}

/** The supported levels of the model, strongest first. */
export function levelsOf(catalog: Pick<Catalog, 'directWires' | 'catalogWire'>, id: string): Effort[] {
  const sent = levelsSent(catalog, id);
  return sent ? EFFORTS.filter((effort) => sent[effort] === effort) : [];
}
