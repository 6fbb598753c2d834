import { cleanText } from '@fucina/conversation/clean-text';
import type { McpCandidate } from '../../wire/mcp-servers.ts';
import { useWords } from '../../words/words.ts';
import { commandOf } from './server-draft.ts';

interface CandidatesProps {
  candidates: readonly McpCandidate[];
  /** Names that exist. */
  taken: ReadonlySet<string>;
  /** Their fingerprints. */
  chosen: ReadonlySet<string>;
  choose: (chosen: ReadonlySet<string>) => void;
}

/** Servers that can be imported: what would run, and where its secrets go. */
export function Candidates({ candidates, taken, chosen, choose }: CandidatesProps) {
  const { say } = useWords();
  const turn = (fingerprint: string, isOn: boolean) => {
    const next = new Set(chosen);
    if (isOn) next.add(fingerprint);
    else next.delete(fingerprint);
    choose(next);
  };
  return (
    <ul className="extension-list">
      {candidates.map((candidate) => {
        const { id, name, definition, problem, fingerprint } = candidate;
        const isTaken = taken.has(id);
        return (
          <li key={fingerprint} className="extension-row">
            <label className="mcp-candidate">
              <input
                type="checkbox"
                checked={chosen.has(fingerprint) && !isTaken}
                disabled={definition === null || isTaken}
                onChange={(event) => turn(fingerprint, event.currentTarget.checked)}
              />
              <b>{id}</b>
              {id !== name && <span className="small muted">{name}</span>}
              {isTaken && <span className="tag">{say('mcp.import.exists')}</span>}
              {!candidate.isOn && definition && <span className="tag">{say('mcp.state.off')}</span>}
            </label>
            {definition && <code className="extension-command">{cleanText(commandOf(definition))}</code>}
            <CandidateFacts candidate={candidate} />
            {problem !== null && (
              <p className="small danger">
                {say('mcp.import.unusable')} <code>{problem}</code>
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function CandidateFacts({ candidate: { definition, secrets, missing, notes } }: { candidate: McpCandidate }) {
  const { say } = useWords();
  const values = { ...definition?.environment, ...definition?.headers };
  const plain = Object.entries(values).filter(([, value]) => !value.includes('${secret:'));
  const facts = [
    plain.length > 0 && plain.map(([name, value]) => `${name}=${value}`).join(' · '),
    secrets.length > 0 && say('mcp.import.secrets', { names: secrets.join(', ') }),
    missing.length > 0 && say('mcp.import.missing', { names: missing.join(', ') }),
    ...notes.map((one) => say(`mcp.note.${one}`)),
  ].filter((fact) => fact !== false);
  return facts.map((fact) => (
    <p key={fact} className="small muted mcp-fact">
      {fact}
    </p>
  ));
}
