import { Brain, Check, Eye, KeyRound, Wrench } from 'lucide-react';
import type { ModelRow } from '../../wire/records.ts';
import { useWords, type WordKey, type Words } from '../../words/words.ts';
import type { Block, Capability } from './catalog.ts';

const ICONS = { toolUse: Wrench, vision: Eye, reasoning: Brain } as const;
export const CAPABILITY_WORDS: Record<Capability, WordKey> = {
  toolUse: 'capability.tools',
  vision: 'capability.vision',
  reasoning: 'picker.reasoning',
};

export function capabilityKey(value: ModelRow['capabilities'][Capability]): WordKey {
  if (value === 'observed-yes') return 'capability.yes';
  return value === 'observed-no' ? 'capability.no' : 'capability.unknown';
}

/** A capability in one of three states: yes, no, unknown. */
function Known({ name, value }: { name: Capability; value: ModelRow['capabilities'][Capability] }) {
  const { say } = useWords();
  const Icon = ICONS[name];
  const words = `${say(CAPABILITY_WORDS[name])}: ${say(capabilityKey(value))}`;
  return (
    <span className="model-capability" data-known={value} title={words}>
      <Icon size={12} aria-hidden />
      {value === 'unknown' && <span aria-hidden>?</span>}
      <span className="unseen">{words}</span>
    </span>
  );
}

/** Price per million tokens; an unknown price is shown as unknown, never as zero. */
export function priceWords(price: ModelRow['price'], { say, money }: Words): string {
  if (!price) return say('picker.price.undeclared');
  return say('picker.price', { in: money(price.input), out: money(price.output) });
}

/** A model in the list: name, id, capabilities and price. */
export function ModelLine({ model, isChosen }: { model: ModelRow; isChosen: boolean }) {
  const words = useWords();
  const { say, short } = words;
  const name = model.name || model.id;
  const size =
    model.contextLength === null ? say('model.undeclared') : say('model.window', { size: short(model.contextLength) });
  return (
    <>
      <span className="pick-check">{isChosen && <Check size={14} aria-hidden />}</span>
      <span className="model-names">
        <span className="model-name">{name}</span>
        <span className="model-id">{model.id === name ? '' : model.id}</span>
      </span>
      <span className="model-numbers tabular">
        <span>{priceWords(model.price, words)}</span>
        <span>{size}</span>
      </span>
      <span className="model-capabilities">
        <Known name="toolUse" value={model.capabilities.toolUse} />
        <Known name="vision" value={model.capabilities.vision} />
        <Known name="reasoning" value={model.capabilities.reasoning} />
      </span>
    </>
  );
}

/** An unavailable model, why, and how to fix that. */
export function UnavailableModel({ name, provider, why }: { name: string; provider: string; why: Block }) {
  const { say } = useWords();
  return (
    <>
      <span className="pick-check">
        <KeyRound size={14} className="muted" aria-hidden />
      </span>
      <span className="model-names">
        <span className="model-name muted">{name}</span>
        <span className="model-id">
          {name === provider ? '' : `${provider} · `}
          {say(`picker.unready.${why}`)}
        </span>
      </span>
      <span className="model-set-up">{say('picker.setUp')}</span>
    </>
  );
}
