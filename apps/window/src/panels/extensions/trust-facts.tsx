import { cleanText } from '@fucina/conversation/clean-text';
import type { Trusted } from '../../wire/extensions.ts';
import { useWords } from '../../words/words.ts';
import { Warnings } from './warnings.tsx';

/** What would run, for the trust decision. */
export interface TrustRequest {
  kind: Trusted;
  id: string;
  name: string;
  commands: readonly { origin?: string; command: string }[];
  /** The event of a hook, as text. */
  events?: string;
  /** The allowed tools of a server. */
  allows?: readonly string[];
  /** Variables and headers that it gets. */
  variables?: readonly string[];
  /** Nothing would run here: an address would be called. */
  isAddress?: boolean;
  /** It runs in the sandbox, without network. */
  isSandboxed?: boolean;
  warnings?: readonly string[];
}

/** What the trust covers: another one is asked for when it changes. */
function boundOf({ kind, isAddress }: TrustRequest): 'package' | 'command' | 'address' {
  if (kind === 'plugins') return 'package';
  return isAddress ? 'address' : 'command';
}

/** The trust dialog: the focus is on Cancel, and trusting needs a separate click. */
export function TrustFacts({ request }: { request: TrustRequest }) {
  const { say } = useWords();
  const { commands, events, allows, isAddress, isSandboxed, variables = [], warnings = [] } = request;
  return (
    <div className="trust">
      <p>{say(isSandboxed ? 'language.trust.why' : isAddress ? 'extensions.trust.address' : 'extensions.trust.why')}</p>
      <ul className="trust-commands">
        {commands.map(({ origin, command }) => (
          <li key={`${origin ?? ''}${command}`}>
            {origin && <span className="muted small">{cleanText(origin)}</span>}
            <code className="extension-command">{cleanText(command)}</code>
          </li>
        ))}
      </ul>
      {variables.length > 0 && (
        <p className="small">
          {say('extensions.trust.variables')} <code>{cleanText(variables.join(' · '))}</code>
        </p>
      )}
      {events && <p className="small">{say('extensions.trust.when', { events })}</p>}
      {allows && <p className="small">{say('extensions.trust.tools', { tools: cleanText(allows.join(', ')) })}</p>}
      <Warnings warnings={warnings} />
      <p className="muted small">{say(`extensions.trust.bound.${boundOf(request)}`)}</p>
    </div>
  );
}
