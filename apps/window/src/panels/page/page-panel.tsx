import '../../styles/forms.css';
import '../../styles/page.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { AppWindow, MonitorPlay } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import { lazyPart } from '../../parts/lazy-part.tsx';
import { Answer, Empty } from '../../parts/states.tsx';
import { useConversation } from '../../session/use-session.tsx';
import { type FrameVerdict, frameVerdictQuery } from '../../wire/browser.ts';
import { liveStateQuery } from '../../wire/live-browser.ts';
import { loopbackPort } from '../../wire/session-ports.ts';
import { reachableAddressQuery } from '../../wire/session-servers.ts';
import { useWords } from '../../words/words.ts';
import { localAddresses } from './local-addresses.ts';
import { LocalPage } from './local-page.tsx';
import { OpenInLiveBrowser } from './open-in-live-browser.tsx';
import { PageBar } from './page-bar.tsx';
import { PageText } from './page-text.tsx';

type Reason = FrameVerdict['reason'];

const LivePage = lazyPart(async () => (await import('./live/live-page.tsx')).LivePage);

function PublicPage({ url }: { url: string }) {
  const { say } = useWords();
  const [isText, setIsText] = useState(false);
  return (
    <>
      <div className="page-tools small">
        <button type="button" className="chip" aria-pressed={isText} onClick={() => setIsText(!isText)}>
          {say('page.asText')}
        </button>
        <OpenInLiveBrowser url={url} />
        <span className="muted">{say('page.boxed')}</span>
      </div>
      {isText ? (
        <PageText url={url} />
      ) : (
        <iframe
          className="page-frame"
          title={say('page.frame', { url })}
          sandbox="allow-scripts allow-forms"
          referrerPolicy="no-referrer"
          src={url}
        />
      )}
    </>
  );
}

interface RefusedProps {
  url: string;
  reason: Exclude<Reason, 'allowed'>;
  /** A live browser is available. */
  canGoLive: boolean;
}

function RefusedPage({ url, reason, canGoLive }: RefusedProps) {
  const { say } = useWords();
  const hasText = reason !== 'own-address' && reason !== 'unreachable';
  return (
    <>
      <p className="page-note small" role={hasText ? 'note' : 'alert'}>
        {say(`page.reason.${reason}`)} {canGoLive && <OpenInLiveBrowser url={url} />}
      </p>
      {hasText && <PageText url={url} />}
    </>
  );
}

interface ShownProps {
  sessionId: string;
  url: string;
  go(url: string): void;
}

/** A page of this computer: if a server in the session's sandbox has its port, that is opened first. */
function Opened({ sessionId, url, go }: ShownProps) {
  const query = useQuery(reachableAddressQuery(sessionId, url));
  return (
    <Answer query={query} lines={10}>
      {(address) => <Shown sessionId={sessionId} url={address} go={go} />}
    </Answer>
  );
}

function Shown({ sessionId, url, go }: ShownProps) {
  const query = useQuery(frameVerdictQuery(url));
  return (
    <Answer query={query} lines={10}>
      {({ reason, via, url: found }) => {
        if (reason !== 'allowed') return <RefusedPage url={found} reason={reason} canGoLive={via === 'live'} />;
        return via === 'proxy' ? <LocalPage sessionId={sessionId} url={found} go={go} /> : <PublicPage url={found} />;
      }}
    </Answer>
  );
}

function LivePanel({ sessionId, url }: { sessionId: string; url: string }) {
  return (
    <div className="page-panel">
      <LivePage sessionId={sessionId} url={url} />
    </div>
  );
}

/** The development servers of the session. */
function Addresses({ go }: { go(url: string): void }) {
  const { say } = useWords();
  const conversation = useConversation();
  const addresses = useMemo(() => localAddresses(conversation), [conversation]);
  if (addresses.length === 0) return null;
  return (
    <ul className="empty-list" aria-label={say('page.addresses')}>
      {addresses.map((url) => (
        <li key={url}>
          <button type="button" className="text-button" onClick={() => go(url)}>
            {url}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The agent has a page open that is not shown. */
function Watch({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const [, setSearch] = useSearchParams();
  // Without a browser there is nothing to show.
  const { data } = useQuery(liveStateQuery(sessionId));
  const tab = data?.tabs.find((one) => one.sessionId === sessionId);
  if (!tab) return null;
  return (
    <Button
      variant="filled"
      leftSection={<MonitorPlay size={14} aria-hidden />}
      onClick={() => setSearch({ live: '', url: tab.url })}
    >
      {say('page.live.watch')}
    </Button>
  );
}

/** A page beside the conversation; its address is in the window's. */
export function PagePanel({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const [search, setSearch] = useSearchParams();
  const [again, setAgain] = useState(0);
  const url = search.get('url') ?? '';
  if (search.has('live')) return <LivePanel sessionId={sessionId} url={url} />;
  const go = (to: string) => setSearch({ url: to });
  const Page = loopbackPort(url) === undefined ? Shown : Opened;
  return (
    <div className="page-panel">
      <PageBar key={url} url={url} go={go} reload={() => setAgain(again + 1)} />
      {url ? (
        <Page key={`${url} ${again}`} sessionId={sessionId} url={url} go={go} />
      ) : (
        <Empty
          icon={<AppWindow size={20} aria-hidden />}
          title={say('page.none')}
          action={
            <>
              <Addresses go={go} />
              <Watch sessionId={sessionId} />
            </>
          }
        >
          {say('page.none.why')}
        </Empty>
      )}
    </div>
  );
}
