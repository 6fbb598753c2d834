import { useQuery } from '@tanstack/react-query';
import { Ref } from '../../parts/ref.tsx';
import { levelsOf } from '../../wire/effort-levels.ts';
import { type ModelProfile, modelProfileQuery } from '../../wire/model-profile.ts';
import type { Catalog, ModelRow } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';
import { CAPABILITIES } from './catalog.ts';
import { CAPABILITY_WORDS, capabilityKey, priceWords } from './model-line.tsx';

const defaultKey = (effort: ModelProfile['effort']['default']) =>
  effort === null || effort === 'adaptive'
    ? (`picker.effort.${effort ?? 'own'}` as const)
    : (`effort.${effort}` as const);

/** All known facts about one model. */
export function ModelDetails({ catalog, model, id }: { catalog: Catalog; model: ModelRow; id: string }) {
  const words = useWords();
  const { say, number, money } = words;
  const tokens = (count: number | null) =>
    count === null ? say('picker.undeclared') : say('picker.tokens', { count: number(count) });
  const levels = levelsOf(catalog, id);
  const { data: profile } = useQuery(modelProfileQuery(id));
  const stated = (tokensOf: 'window' | 'outputLimit', listed: number | null) => {
    const { tokens: count, from } = profile?.[tokensOf] ?? { tokens: listed, from: null };
    return tokens(count) + (from ? ` · ${say(`picker.from.${from}`)}` : '');
  };
  const cached = model.price?.cache;
  const facts = [
    [
      say('picker.price.label'),
      (model.price ? priceWords(model.price, words) : say('picker.undeclared')) +
        (typeof cached === 'number' ? ` · ${say('picker.price.cached', { cost: money(cached) })}` : ''),
    ],
    [say('picker.window'), stated('window', model.contextLength)],
    [say('picker.output'), stated('outputLimit', model.maxOutputTokens)],
    ...CAPABILITIES.map((name) => [say(CAPABILITY_WORDS[name]), say(capabilityKey(model.capabilities[name]))]),
    [
      say('picker.levels'),
      levels.length > 0 ? levels.map((level) => say(`effort.${level}`)).join(', ') : say('picker.levels.none'),
    ],
    ...(profile
      ? [
          [say('picker.effort'), say(defaultKey(profile.effort.default))] as const,
          [
            say('picker.dialect'),
            `${profile.dialect.name} · ${say(`picker.dialect.${profile.dialect.from}`)}`,
          ] as const,
        ]
      : []),
  ] as const;
  return (
    <>
      <Ref value={id} label={say('picker.id')} />
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="tabular">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
