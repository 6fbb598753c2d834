import { processesWith, tempDir, tempRepo } from '@fucina/testkit';
import { expect } from '@jest/globals';
import { html, startSite } from './browser-fixture.ts';
import { startChild } from './child-server.ts';
import { withBrowser } from './live-fixture.ts';
import { walk } from './window-visit.ts';

/** A built server whose live browser shows a page; it ends as `end` says. */
async function endedBy(signal: NodeJS.Signals): Promise<void> {
  await using site = await startSite({ '/': html('<h1>Forge</h1>') });
  await using home = await tempDir();
  await using project = await tempRepo();
  const { FUCINA_BROWSER = '', PATH = '' } = withBrowser(home.path);
  await using server = await startChild({ dataDir: home.path, env: { FUCINA_BROWSER, PATH } });
  const started = await server.call('POST', '/sessions/custom', {
    body: { cartellaLibera: project.path, consegna: 'Look.', modello: 'ollama:tiny' },
  });
  const query = { sessione: started.data.sessionId };
  const opened = await server.call('POST', '/browser/vivo/apri', { query, body: { url: site.url } });
  expect(opened.data).toMatchObject({ ok: true });
  expect(processesWith(`${home.path}/browser`)).not.toEqual([]);
  await server.kill(signal);
  // Its pipe is closed: the browser ends by itself, however this server ended.
  while (processesWith(`${home.path}/browser`).length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
}

walk('stopping the server ends its browser', () => endedBy('SIGTERM'));
walk('killing the server leaves no browser process', () => endedBy('SIGKILL'));
