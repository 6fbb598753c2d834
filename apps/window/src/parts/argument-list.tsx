import { cleanText } from '@fucina/conversation/clean-text';
import { useWords, type Words } from '../words/words.ts';
import { argumentName, printedValue } from './argument-words.ts';

/** The arguments of a call, one per line, with readable labels. */
export function ArgumentList({ args }: { args: Record<string, unknown> }) {
  const words = useWords();
  return (
    <dl className="arguments" aria-label={words.say('tool.asked')}>
      {Object.entries(args).map(([name, value]) => (
        <Argument key={name} name={name} value={value} words={words} />
      ))}
    </dl>
  );
}

function Argument({ name, value, words }: { name: string; value: unknown; words: Words }) {
  if (value === null || value === undefined || value === '') return null;
  return (
    <div>
      <dt>{cleanText(argumentName(name, words.say))}</dt>
      <dd>{cleanText(printedValue(value, words.say))}</dd>
    </div>
  );
}
