import { useQuery } from '@tanstack/react-query';
import { Markdown } from '../../parts/markdown.tsx';
import { Answer } from '../../parts/states.tsx';
import { pageReadingQuery } from '../../wire/browser.ts';
import { useWords } from '../../words/words.ts';

/** The text of a page, as the agent reads it. */
export function PageText({ url }: { url: string }) {
  const { say } = useWords();
  const query = useQuery(pageReadingQuery(url));
  return (
    <div className="page-text" tabIndex={0} role="group" aria-label={say('page.text')}>
      <Answer query={query} lines={10}>
        {({ body }) => (body === '' ? <p className="muted">{say('page.text.none')}</p> : <Markdown text={body} />)}
      </Answer>
    </div>
  );
}
