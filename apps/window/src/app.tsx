import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Component, type ErrorInfo, type ReactNode, useEffect } from 'react';
import { BrowserRouter, Route, Routes } from 'react-router';
import { afterPaint } from './ambient.ts';
import { endFirstDrawing } from './first-requests.ts';
import { SessionPage } from './panels/session/session-page.tsx';
import { lazyPart } from './parts/lazy-part.tsx';
import { Failure } from './parts/states.tsx';
import { closePrefetchedStream } from './session/stream.ts';
import { Gate } from './shell/gate.tsx';
import { Shell } from './shell/shell.tsx';
import { useAppearance } from './styles/appearance.ts';
import { mantineTheme, mantineVariables } from './styles/mantine.ts';
import { withWords } from './words/words.ts';

const Home = lazyPart(
  async () => (await withWords(import('./panels/new-session/new-session-page.tsx'))).NewSessionPage,
);
const Settings = lazyPart(async () => (await withWords(import('./panels/settings/settings-page.tsx'))).SettingsPage);
const Inbox = lazyPart(async () => (await withWords(import('./panels/inbox/inbox-page.tsx'))).InboxPage);
const Records = lazyPart(
  async () => (await withWords(import('./panels/notes-tasks-memories/records-page.tsx'))).RecordsPage,
);
const Automations = lazyPart(
  async () => (await withWords(import('./panels/automations/automations-page.tsx'))).AutomationsPage,
);
const LocalModels = lazyPart(
  async () => (await withWords(import('./panels/local-models/local-models-page.tsx'))).LocalModelsPage,
);
const Board = lazyPart(async () => (await withWords(import('./panels/board/board-page.tsx'))).BoardPage);
const Worktrees = lazyPart(
  async () => (await withWords(import('./panels/worktrees/worktrees-page.tsx'))).WorktreesPage,
);
const Compare = lazyPart(async () => (await withWords(import('./panels/worktrees/compare-page.tsx'))).ComparePage);
const Setup = lazyPart(async () => (await withWords(import('./panels/setup-page.tsx'))).SetupPage);
const ApiDocs = lazyPart(async () => (await withWords(import('./panels/api-docs-page.tsx'))).ApiDocsPage);
const NotFound = lazyPart(async () => (await import('./panels/not-found.tsx')).NotFound);
const Parts = import.meta.env.DEV
  ? lazyPart(async () => (await import('./panels/parts-page.tsx')).PartsPage)
  : undefined;

/** Reports a bug, with a button to reload. */
class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo) {
    reportError(new Error(`drawing failed:${info.componentStack ?? ''}`, { cause: error }));
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return <Failure error={this.state.error} retry={() => location.reload()} />;
  }
}

export function App({ nonce, client }: { nonce: string; client: QueryClient }) {
  const { mode } = useAppearance();
  // Effects of components that follow a session run before this one.
  useEffect(closePrefetchedStream, []);
  useEffect(() => afterPaint(endFirstDrawing), []);
  return (
    <MantineProvider
      theme={mantineTheme}
      cssVariablesResolver={mantineVariables}
      defaultColorScheme={mode}
      forceColorScheme={mode}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={client}>
        <BrowserRouter>
          <Boundary>
            <Gate>
              <Routes>
                <Route element={<Shell />}>
                  <Route index element={<Home />} />
                  <Route path="sessions/:sessionId/:view?" element={<SessionPage />} />
                  <Route path="settings/:section?" element={<Settings />} />
                  <Route path="inbox" element={<Inbox />} />
                  <Route path="records/:section?/:id?" element={<Records />} />
                  <Route path="automations/:id?" element={<Automations />} />
                  <Route path="local-models/:section?/:owner?/:name?" element={<LocalModels />} />
                  <Route path="board" element={<Board />} />
                  <Route path="worktrees" element={<Worktrees />} />
                  <Route path="compare" element={<Compare />} />
                  <Route path="api-docs" element={<ApiDocs />} />
                  {Parts && <Route path="parts" element={<Parts />} />}
                  <Route path="*" element={<NotFound />} />
                </Route>
                <Route path="setup" element={<Setup />} />
              </Routes>
            </Gate>
          </Boundary>
        </BrowserRouter>
      </QueryClientProvider>
    </MantineProvider>
  );
}
