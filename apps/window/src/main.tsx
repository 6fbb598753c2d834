import './boot.ts';
import './styles/layers.css';
import 'virtual:themes.css';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/Loader.layer.css';
import '@mantine/core/styles/Button.layer.css';
import '@mantine/core/styles/ActionIcon.layer.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/columns.css';
import './styles/parts.css';
import './styles/reading.css';
import './styles/lists.css';
import './styles/session.css';
import './styles/tool-calls.css';
import './styles/answering.css';
import './styles/panels.css';
import './styles/states.css';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { later } from './ambient.ts';
import { App } from './app.tsx';
import { enterWithKey } from './enter-with-key.ts';
import { sessionInAddress } from './first-requests.ts';
import { prefetchStream } from './session/stream.ts';
import { startAppearance } from './styles/appearance.ts';
import { createQueryClient, sessionsQuery } from './wire/queries.ts';
import { startWords } from './words/words.ts';

if (enterWithKey()) await new Promise(() => undefined); // this page is being replaced

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// Dialogs lock the page's scroll with a style element, which needs the nonce before the first of them opens.
setNonce(nonce);
startAppearance();

/** The first drawing waits this long for its data: on a fast connection, drawing twice takes longer. */
const MOST_WAIT_MS = 100;

const client = createQueryClient();
const sessionId = sessionInAddress();
const data = Promise.all([
  // Every page shows the sessions.
  client.prefetchQuery(sessionsQuery),
  sessionId && prefetchStream(sessionId),
]);
const patience = new Promise<void>((resolve) => void later(MOST_WAIT_MS, resolve));

await Promise.all([startWords(), Promise.race([data, patience])]);
const root = document.getElementById('root');
if (!root) throw new Error('the page has no root');
createRoot(root).render(<App nonce={nonce} client={client} />);
