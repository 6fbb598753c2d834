import { lazyPart, Waiting } from '../../parts/lazy-part.tsx';
import { Loading } from '../../parts/states.tsx';
import { withWords } from '../../words/words.ts';
import type { OtherView } from './other-views.ts';

const Files = lazyPart(async () => (await withWords(import('../files/files-panel.tsx'))).FilesPanel);
const Changes = lazyPart(async () => (await withWords(import('../review/changes-panel.tsx'))).ChangesPanel);
const Git = lazyPart(async () => (await withWords(import('../git/git-panel.tsx'))).GitPanel);
const Library = lazyPart(async () => (await withWords(import('../library/library-panel.tsx'))).LibraryPanel);
const Research = lazyPart(async () => (await withWords(import('../research/research-panel.tsx'))).ResearchPanel);
const Workflows = lazyPart(async () => (await withWords(import('../workflows/workflows-panel.tsx'))).WorkflowsPanel);
const Extensions = lazyPart(
  async () => (await withWords(import('../extensions/extensions-panel.tsx'))).ExtensionsPanel,
);
const Terminal = lazyPart(async () => (await withWords(import('../terminal/terminal-panel.tsx'))).TerminalPanel);
const WebPage = lazyPart(async () => (await withWords(import('../page/page-panel.tsx'))).PagePanel);

interface ViewProps {
  view: OtherView;
  sessionId: string;
}

/** A view of a session, loaded on demand. */
export function SessionView(props: ViewProps) {
  return (
    <Waiting fallback={<Loading lines={6} />}>
      <View {...props} />
    </Waiting>
  );
}

function View({ view, sessionId }: ViewProps) {
  switch (view) {
    case 'files':
      return <Files sessionId={sessionId} />;
    case 'changes':
      return <Changes sessionId={sessionId} />;
    case 'git':
      return <Git sessionId={sessionId} />;
    case 'terminal':
      return <Terminal sessionId={sessionId} />;
    case 'page':
      return <WebPage sessionId={sessionId} />;
    case 'workflows':
      return <Workflows sessionId={sessionId} />;
    case 'library':
      return <Library sessionId={sessionId} />;
    case 'research':
      return <Research sessionId={sessionId} />;
    case 'extensions':
      return <Extensions sessionId={sessionId} />;
  }
}
