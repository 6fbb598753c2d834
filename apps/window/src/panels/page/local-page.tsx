import { useQuery } from '@tanstack/react-query';
import { MousePointerClick } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { HeldPage } from '../../parts/held-page.tsx';
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

const MOST_BLOCKED = 10;

function Blocked({ hosts }: { hosts: readonly string[] }) {
  const { say } = useWords();
  return hosts.length === 0 ? null : (
    <p className="page-note small" role="status">
      {say('page.blocked', { hosts: hosts.join(', ') })}
    </p>
  );
}

function Framed({ sessionId, url, go, leadsTo }: LocalProps & { leadsTo: string }) {
  const { say } = useWords();
  const frame = useRef<HTMLIFrameElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [element, setElement] = useState<PickedElement>();
  const take = (picked: PickedElement) => {
    addToDraft(sessionId, quotedElement(picked, url));
    setElement(picked);
    button.current?.focus();
  };
  const [kept, setKept] = useState<{ of: string; hosts: readonly string[] }>({ of: url, hosts: [] });
  const hosts = kept.of === url ? kept.hosts : [];
  const blocked = (host: string) =>
    setKept((before) => {
      const known = before.of === url ? before.hosts : [];
      return known.includes(host) || known.length >= MOST_BLOCKED ? before : { of: url, hosts: [...known, host] };
    });
  const { isPointing, point } = useElementPicker({ frame, take, go, blocked });
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
      <Blocked hosts={hosts} />
      <HeldPage
        frame={frame}
        className="page-frame"
        title={say('page.frame', { url })}
        sandbox="allow-scripts allow-forms"
        url={proxiedAddress({ url, session: sessionId })}
        leadsTo={leadsTo}
      />
    </>
  );
}

/** A page of a development server on this computer, with an element picker. */
export function LocalPage(props: LocalProps) {
  const query = useQuery(proxiedPageQuery({ url: props.url, session: props.sessionId }));
  return (
    <Answer query={query} lines={10}>
      {(leadsTo) => <Framed {...props} leadsTo={leadsTo} />}
    </Answer>
  );
}
