import type { Trusted } from '../../wire/extensions.ts';
import { useWords } from '../../words/words.ts';
import { Warnings } from './warnings.tsx';

/** What a user is asked to trust: exactly what would run. */
export interface TrustRequest {
  kind: Trusted;
  id: string;
  name: string;
  commands: readonly { origin?: string; command: string }[];
  /** When a hook runs, in words. */
  events?: string;
  /** The tools of a server that are let through. */
  allows?: readonly string[];
  /** Nothing would run here: an address would be called. */
  isAddress?: boolean;
  warnings?: readonly string[];
}

/** What the question of trust says: the keyboard begins at its way out, trusting is a press of its own. */
export function TrustFacts({ request }: { request: TrustRequest }) {
  const { say } = useWords();
  const { commands, events, allows, isAddress, warnings = [] } = request;
  return (
    <div className="trust">
      <p>{say(isAddress ? 'extensions.trust.address' : 'extensions.trust.why')}</p>
      <ul className="trust-commands">
        {commands.map(({ origin, command }) => (
          <li key={`${origin ?? ''}${command}`}>
            {origin && <span className="muted small">{origin}</span>}
            <code className="extension-command">{command}</code>
          </li>
        ))}
      </ul>
      {events && <p className="small">{say('extensions.trust.when', { events })}</p>}
      {allows && <p className="small">{say('extensions.trust.tools', { tools: allows.join(', ') })}</p>}
      <Warnings warnings={warnings} />
      <p className="muted small">{say('extensions.trust.bound')}</p>
    </div>
  );
}
