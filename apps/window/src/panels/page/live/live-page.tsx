import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useSearchParams } from 'react-router';
import { Answer, Failure } from '../../../parts/states.tsx';
import { liveStateQuery } from '../../../wire/live-browser.ts';
import { useWords, type WordKey } from '../../../words/words.ts';
import { PageBar } from '../page-bar.tsx';
import { LivePageEnded, PickedResult, PointerMark } from './live-facts.tsx';
import { LiveTools } from './live-tools.tsx';
import { useCanvas } from './use-canvas.ts';
import { useLivePage } from './use-live-page.ts';

interface LiveProps {
  sessionId: string;
  /** The address to open; empty if a page is open. */
  url: string;
}

const PROBLEMS = ['own-address', 'closed-address', 'unreachable', 'timeout', 'download'] as const;

function problemWord(problem: string): WordKey {
  const known = PROBLEMS.find((one) => one === problem);
  return `page.live.problem.${known ?? 'failed'}`;
}

function FilesView({ sessionId, url, isOpen }: LiveProps & { isOpen: boolean }) {
  const { say } = useWords();
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const live = useLivePage({ sessionId, url, isOpen, stage, canvas });
  const { mode, setMode, screen, open, pick, close, go, isThere } = live;
  const { mark, queue, on } = useCanvas({ sessionId, canvas, page: screen.shown, mode, setMode, pick: pick.mutate });
  const shownUrl = screen.shown?.url;
  const opened = open.data;
  const press = (key: string) => queue({ kind: 'key', key, modifiers: 0 });
  return (
    <>
      <PageBar key={shownUrl ?? url} url={shownUrl ?? url} go={go} reload={() => press('BrowserRefresh')} isAlive />
      <LiveTools
        mode={mode}
        setMode={setMode}
        press={press}
        close={() => close.mutate()}
        isThere={screen.shown !== undefined}
      />
      {pick.data && <PickedResult sessionId={sessionId} selector={pick.data.selector} />}
      {open.error && <Failure error={open.error} retry={() => go(url)} />}
      {pick.error && <Failure error={pick.error} />}
      {opened?.error && (
        <p className="page-note small" role="alert">
          {say(problemWord(opened.error))}
        </p>
      )}
      {screen.ended && !open.isPending && <LivePageEnded {...screen.ended} again={() => go(shownUrl ?? url)} />}
      <div className="page-stage" ref={stage} data-hand={mode}>
        <canvas
          ref={canvas}
          className="page-screen"
          role={mode === 'watch' ? 'img' : 'application'}
          tabIndex={mode === 'watch' ? -1 : 0}
          aria-label={say('page.live.screen', { url: shownUrl ?? url })}
          hidden={screen.shown === undefined}
          {...on}
        />
        {mark && screen.shown && <PointerMark mark={mark} page={screen.shown} canvas={canvas.current} />}
        {screen.shown === undefined && (open.isPending || (isThere && !screen.ended)) && (
          <p className="muted small page-waiting" role="status">
            {say('page.live.starting')}
          </p>
        )}
      </div>
    </>
  );
}

/** The live browser, shared with the agent. Shows the open page; never navigates it without being asked. */
export function LivePage({ sessionId, url }: LiveProps) {
  const [search] = useSearchParams();
  const query = useQuery(liveStateQuery(sessionId));
  const isAsked = search.get('live') === 'open';
  return (
    <Answer query={query} lines={10}>
      {({ tabs }) => {
        const isOpen = tabs.some((tab) => tab.sessionId === sessionId);
        return <FilesView sessionId={sessionId} url={url} isOpen={isOpen && !(isAsked && url)} />;
      }}
    </Answer>
  );
}
