import { existsSync } from 'node:fs';
import type { Reply, TestServer } from './harness.ts';
import { TOKEN } from './harness.ts';

const CHROMIUM = process.env.FUCINA_BROWSER ?? '/usr/bin/chromium';

/** Whether this computer has a usable browser. */
export const hasBrowser = existsSync(CHROMIUM) || process.env.FUCINA_TEST_REQUIRE === '1';

/** The environment of a server that uses exactly that browser. */
export const withBrowser = (dataDir: string): Record<string, string | undefined> => ({
  ...process.env,
  HOME: dataDir,
  FUCINA_BROWSER: CHROMIUM,
});

type Vivo = 'stato' | 'schermo' | 'apri' | 'gesto' | 'descrivi' | 'misura' | 'chiudi';

/** The operations of the live browser, as the window calls them. */
export function driver(server: Pick<TestServer, 'call'>, session: string) {
  const query: Record<string, string> = { sessione: session };
  const ask = (name: Vivo, body?: unknown): Promise<Reply> =>
    server.call(name === 'stato' || name === 'schermo' ? 'GET' : 'POST', `/browser/vivo/${name}`, { query, body });
  return {
    ask,
    state: () => ask('stato'),
    open: (url: string, more: object = {}) => ask('apri', { url, ...more }),
    gesture: (body: unknown) => ask('gesto', body),
    describe: (x: number, y: number) => ask('descrivi', { x, y }),
    resize: (larghezza: number, altezza: number) => ask('misura', { larghezza, altezza }),
    close: () => ask('chiudi'),
  };
}

/** Events of the screen as a stream; the caller ends it. */
export async function* screenOf(
  server: Pick<TestServer, 'url'>,
  session: string,
  signal: AbortSignal,
): AsyncGenerator<any> {
  const response = await fetch(`${server.url}api/v1/browser/vivo/schermo?sessione=${session}`, {
    headers: { cookie: `svc_token=${TOKEN}` },
    signal,
  });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const frames = text.split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (data) yield JSON.parse(data);
    }
  }
}
