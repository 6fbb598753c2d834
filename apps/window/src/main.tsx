import './look/layers.css';
import '@mantine/core/styles/baseline.layer.css';
import '@mantine/core/styles/default-css-variables.layer.css';
import '@mantine/core/styles/global.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/core/styles/Loader.layer.css';
import '@mantine/core/styles/Button.layer.css';
import '@mantine/core/styles/ActionIcon.layer.css';
import './look/base.css';
import './look/shell.css';
import './look/parts.css';
import './look/reading.css';
import './look/lists.css';
import './look/session.css';
import './look/tool-calls.css';
import './look/answering.css';
import './look/panels.css';
import './look/states.css';
import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { startLook } from './look/look.ts';
import { openAhead } from './session/stream.ts';
import { createQueryClient, sessionsQuery } from './wire/queries.ts';
import { startWords } from './words/words.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// Dialogs lock the page's scroll by a style element of their own, which needs the nonce before the first of them opens.
setNonce(nonce);
startLook();

const client = createQueryClient();
// Every page shows the sessions: asked for while the page is still being drawn.
void client.prefetchQuery(sessionsQuery);
const [, sessionId] = /^\/sessions\/([\w-]+)/.exec(location.pathname) ?? [];
if (sessionId) openAhead(sessionId);

await startWords();
const root = document.getElementById('root');
if (!root) throw new Error('the page has no root');
createRoot(root).render(<App nonce={nonce} client={client} />);
