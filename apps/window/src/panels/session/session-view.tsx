import { lazy } from 'react';
import { withWords } from '../../words/words.ts';
import type { OtherView } from './session-page.tsx';

const Files = lazy(async () => ({
  default: (await withWords(import('../files/files-panel.tsx'))).FilesPanel,
}));
const Changes = lazy(async () => ({
  default: (await withWords(import('./changes-panel.tsx'))).ChangesPanel,
}));
const Git = lazy(async () => ({ default: (await withWords(import('../git/git-panel.tsx'))).GitPanel }));
const Library = lazy(async () => ({
  default: (await withWords(import('../library/library-panel.tsx'))).LibraryPanel,
}));
const Research = lazy(async () => ({
  default: (await withWords(import('../research/research-panel.tsx'))).ResearchPanel,
}));
const Workflows = lazy(async () => ({
  default: (await withWords(import('../workflows/workflows-panel.tsx'))).WorkflowsPanel,
}));
const Extensions = lazy(async () => ({
  default: (await withWords(import('../extensions/extensions-panel.tsx'))).ExtensionsPanel,
}));
const Terminal = lazy(async () => ({
  default: (await withWords(import('../terminal/terminal-panel.tsx'))).TerminalPanel,
}));
const WebPage = lazy(async () => ({
  default: (await withWords(import('../page/page-panel.tsx'))).PagePanel,
}));

/** A view of a session beside its conversation, loaded when it is looked at. */
export function SessionView({ view, sessionId }: { view: OtherView; sessionId: string }) {
  switch (view) {
    case 'files':
      return <Files sessionId={sessionId} />;
    case 'changes':
      return <Changes />;
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
