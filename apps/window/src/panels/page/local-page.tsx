import { useQuery } from '@tanstack/react-query';
import { MousePointerClick } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { Answer } from '../../parts/states.tsx';
import { addToDraft } from '../../shell/drafts.ts';
import { proxiedAddress, proxiedPageQuery } from '../../wire/browser.ts';
import { useWords } from '../../words/words.ts';
import { OpenInLiveBrowser } from './open-in-live-browser.tsx';
import { type PickedElement, quotedElement } from './picked-element.ts';
import { useElementPicker } from './use-element-picker.ts';

interface LocalProps {
  sessionId: string;
  url: string;
  go(url: string): void;
}

function Pointed({ sessionId, element }: { sessionId: string; element: PickedElement | undefined }) {
  const { say } = useWords();
  return (
    <p className="page-pointed small" role="status">
      {element && (
        <>
          <span>{say('page.pointed')}</span> <code>{element.selector}</code>{' '}
          <Link to={`/sessions/${sessionId}`}>{say('page.toDraft')}</Link>
        </>
      )}
    </p>
  );
}

function Framed({ sessionId, url, go }: LocalProps) {
  const { say } = useWords();
  const frame = useRef<HTMLIFrameElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [element, setElement] = useState<PickedElement>();
  const take = (picked: PickedElement) => {
    addToDraft(sessionId, quotedElement(picked, url));
    setElement(picked);
    button.current?.focus();
  };
  const { isPointing, point } = useElementPicker({ frame, take, go });
  return (
    <>
      <div className="page-tools small">
        <button
          ref={button}
          type="button"
          className="chip"
          aria-pressed={isPointing}
          onClick={() => point(!isPointing)}
        >
          <MousePointerClick size={14} aria-hidden /> {say('page.point')}
        </button>
        <OpenInLiveBrowser url={url} />
        {isPointing ? (
          <span role="status">{say('page.point.how')}</span>
        ) : (
          <span className="muted">{say('page.boxed')}</span>
        )}
      </div>
      <Pointed sessionId={sessionId} element={element} />
      <iframe
        ref={frame}
        className="page-frame"
        title={say('page.frame', { url })}
        sandbox="allow-scripts allow-forms"
        referrerPolicy="no-referrer"
        src={proxiedAddress(url)}
      />
    </>
  );
}

/** A page of a development server on this computer, with an element picker. */
export function LocalPage(props: LocalProps) {
  const query = useQuery(proxiedPageQuery(props.url));
  return (
    <Answer query={query} lines={10}>
      {() => <Framed {...props} />}
    </Answer>
  );
}
