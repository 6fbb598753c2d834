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
        const { id, nome, definizione, problema, impronta } = candidate;
        const isTaken = taken.has(id);
        return (
          <li key={impronta} className="extension-row">
            <label className="mcp-candidate">
              <input
                type="checkbox"
                checked={chosen.has(impronta) && !isTaken}
                disabled={definizione === null || isTaken}
                onChange={(event) => turn(impronta, event.currentTarget.checked)}
              />
              <b>{id}</b>
              {id !== nome && <span className="small muted">{nome}</span>}
              {isTaken && <span className="tag">{say('mcp.import.exists')}</span>}
              {!candidate.attivo && definizione && <span className="tag">{say('mcp.state.spento')}</span>}
            </label>
            {definizione && <code className="extension-command">{cleanText(commandOf(definizione))}</code>}
            <CandidateFacts candidate={candidate} />
            {problema !== null && (
              <p className="small danger">
                {say('mcp.import.unusable')} <code>{problema}</code>
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function CandidateFacts({ candidate: { definizione, segreti, mancanti, note } }: { candidate: McpCandidate }) {
  const { say } = useWords();
  const values = { ...definizione?.ambiente, ...definizione?.intestazioni };
  const plain = Object.entries(values).filter(([, value]) => !value.includes('${secret:'));
  const facts = [
    plain.length > 0 && plain.map(([name, value]) => `${name}=${value}`).join(' · '),
    segreti.length > 0 && say('mcp.import.secrets', { names: segreti.join(', ') }),
    mancanti.length > 0 && say('mcp.import.missing', { names: mancanti.join(', ') }),
    ...note.map((one) => say(`mcp.note.${one}`)),
  ].filter((fact) => fact !== false);
  return facts.map((fact) => (
    <p key={fact} className="small muted mcp-fact">
      {fact}
    </p>
  ));
}
