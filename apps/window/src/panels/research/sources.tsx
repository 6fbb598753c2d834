import { OutsideLink } from '../../parts/outside-link.tsx';
import type { Claim, Source } from '../../wire/research.ts';
import { useWords } from '../../words/words.ts';
import { hostOf } from './report-text.ts';

interface SourcesProps {
  sources: readonly Source[];
  claims: readonly Claim[];
}

/** The sources of a report in citation order, each with an anchor. */
export function Sources({ sources, claims }: SourcesProps) {
  const { say, date } = useWords();
  return (
    <section className="research-sources" aria-label={say('research.sources')}>
      <h3>{say('research.sources')}</h3>
      <ol>
        {sources.map(({ url, title, obtained, publishedAt, accessedAt }, at) => {
          const resting = claims.filter(({ source }) => source === at + 1).length;
          return (
            <li key={url} id={`source-${at + 1}`} className="research-source" tabIndex={-1}>
              <span className="tabular muted">{at + 1}</span>
              <div>
                <p>
                  <OutsideLink address={url}>{title || hostOf(url)}</OutsideLink>
                </p>
                <p className="small muted research-source-facts">
                  {obtained === 'snippet' && <span>{say('research.source.snippet')}</span>}
                  {publishedAt !== null && <span>{say('research.source.published', { at: publishedAt })}</span>}
                  {accessedAt !== null && <span>{say('research.source.read', { at: date(accessedAt) })}</span>}
                  {resting > 0 && <span>{say('research.source.claims', { count: resting })}</span>}
                </p>
              </div>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
