import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { Markdown } from '../../parts/markdown.tsx';
import { Answer } from '../../parts/states.tsx';
import { outputQuery, type Result, rawAddress } from '../../wire/workflows.ts';
import { useWords } from '../../words/words.ts';

interface StepPlace {
  sessionId: string;
  runId: string;
  nodeId: string;
}

function One({ place, result }: { place: StepPlace; result: Result }) {
  const { say, bytes } = useWords();
  const query = useInfiniteQuery(outputQuery(place, result.resultId));
  return (
    <article className="workflow-result">
      <p className="workflow-result-head small muted">
        <span className="tabular">{bytes(result.bytes)}</span>
        <a href={rawAddress(place, result.resultId)} download>
          <Download size={12} aria-hidden /> {say('workflow.drawer.results.download')}
        </a>
      </p>
      <Answer query={query} lines={4}>
        {({ pages }) => {
          if (pages[0]?.content === null) return <p className="muted">{say('workflow.drawer.results.binary')}</p>;
          const text = pages.map(({ content }) => content ?? '').join('');
          return result.contentType.startsWith('application/json') ? (
            <pre className="output-code" tabIndex={0}>
              {text}
            </pre>
          ) : (
            <Markdown text={text} />
          );
        }}
      </Answer>
      {query.hasNextPage && (
        <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {say('workflow.drawer.results.more')}
        </Button>
      )}
    </article>
  );
}

/** The results of a step, by page. */
export function Results({ place, results }: { place: StepPlace; results: readonly Result[] }) {
  const { say } = useWords();
  return (
    <section className="workflow-part">
      <h4>{say('workflow.drawer.results')}</h4>
      {results.length === 0 ? (
        <p className="muted small">{say('workflow.drawer.results.none')}</p>
      ) : (
        <>
          <p className="small muted">{say('workflow.drawer.results.untrusted')}</p>
          {results.map((result) => (
            <One key={result.resultId} place={place} result={result} />
          ))}
        </>
      )}
    </section>
  );
}
