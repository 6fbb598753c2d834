import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type TestServer, testServer, until } from './harness.ts';
import { faults, fitsWindow, launchBrowser, shot, type Visit, visit, WINDOW_FOLDER, walk } from './window-visit.ts';

const ANSWER = `The roots are $x = \\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}$ and the rest costs $5 and 10$ in $HOME/$PATH.

$$
\\sum_{n=1}^{\\infty} \\frac{1}{n^2} = \\frac{\\pi^2}{6}
$$

Wrong: $\\frac{1}{$ and \\(E = mc^2\\).

\`\`\`mermaid
flowchart LR
  A[Request] --> B{Token?}
  B -- yes --> C[Handler]
  B -- no --> D[401]
\`\`\`

\`\`\`mermaid
sequenceDiagram
  Window->>Server: POST /turns
  Server-->>Window: 202
\`\`\`

\`\`\`mermaid
flowchart XX
  A -->
\`\`\`
`;

let server: TestServer;
let browser: Browser | undefined;
beforeAll(async () => {
  browser = await launchBrowser();
  server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ body, lastText }) => {
      if (JSON.stringify(body).includes('You name conversations')) return { text: '"Explain quadratic roots."\n' };
      return { text: lastText.includes('plain') ? 'Plain.' : ANSWER };
    },
  });
});
afterAll(async () => {
  await browser?.close();
  await server[Symbol.asyncDispose]();
});

async function enter(
  options: Parameters<typeof visit>[1] = {},
  consegna = 'Show formulas and diagrams',
): Promise<Visit & { id: string }> {
  const id = await server.startSession({ consegna });
  await server.settled(id);
  return { ...(await visit({ browser: browser as Browser, server, path: `/sessions/${id}` }, options)), id };
}

const diagrams = (page: Page) => page.locator('.diagram-image img');

walk('draws diagrams as images and typesets formulas, but not amounts and shell variables', async () => {
  await using place = await enter();
  const { page, complaints } = place;
  await diagrams(page).nth(1).waitFor();
  await page.getByText('This diagram cannot be drawn.').waitFor();
  expect(await diagrams(page).count()).toBe(2);
  // Formulas come with their own code.
  await page.locator('.formula .katex').nth(2).waitFor();
  expect(await page.locator('.formula .katex').count()).toBe(3);
  expect(await page.locator('.formula[data-block]').count()).toBe(1);
  await page.getByText('and the rest costs $5 and 10$ in $HOME/$PATH.').waitFor();
  // The source of a formula with an error.
  await page.locator('code').filter({ hasText: '\\frac{1}{' }).waitFor();
  const sizes = await diagrams(page).evaluateAll((images) =>
    Promise.all(
      (images as HTMLImageElement[]).map(async (image) => {
        await image.decode();
        return image.naturalWidth;
      }),
    ),
  );
  expect(Math.min(...sizes)).toBeGreaterThan(100);
  expect(await faults(page)).toEqual([]);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 1600 });
    await shot(page, `rich-light-${width}`);
    await fitsWindow(page);
  }
  await page.getByRole('button', { name: 'Show source' }).first().click();
  await page.getByText('A[Request] --> B{Token?}').waitFor();
  await page.getByRole('button', { name: 'Show diagram' }).click();
  expect(complaints).toEqual([]);
});

walk('zooms a diagram by keyboard and closes with Escape, in Italian and dark', async () => {
  await using place = await enter({ locale: 'it-IT', colorScheme: 'dark' });
  const { page, complaints } = place;
  await diagrams(page).first().waitFor();
  await page.setViewportSize({ width: 1440, height: 1600 });
  await shot(page, 'rich-dark-1440');
  const open = page.getByRole('button', { name: 'Ingrandisci: Diagramma' }).first();
  await open.press('Enter');
  const viewer = page.getByRole('dialog');
  await viewer.getByRole('button', { name: 'Ingrandisci' }).waitFor();
  const shown = viewer.getByRole('img', { name: 'Diagramma' });
  const width = async () => (await shown.boundingBox())?.width ?? 0;
  await until(async () => ((await width()) > 0 ? true : undefined));
  const fitted = await width();
  // A dialog takes the focus a moment after it is shown.
  await viewer.locator('button:focus').waitFor();
  await page.keyboard.press('+');
  await until(async () => ((await width()) > fitted ? true : undefined));
  expect(await faults(page)).toEqual([]);
  await shot(page, 'viewer-dark');
  await page.keyboard.press('0');
  await until(async () => ((await width()) === fitted ? true : undefined));
  await page.keyboard.press('Escape');
  await viewer.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

walk('keeps the source of a diagram while the server is away', async () => {
  await using place = await enter({}, 'A plain one');
  const { page } = place;
  await page.getByText('Plain.').waitFor();
  await page.route('**/ext/pages/diagrams', (route) => route.abort());
  const other = await server.startSession({ consegna: 'Show formulas and diagrams' });
  await server.settled(other);
  await page.goto(new URL(`/sessions/${other}`, server.url).href);
  await page.getByText('A[Request] --> B{Token?}').waitFor();
});

walk('shows when a message was sent and when the turn ended', async () => {
  await using place = await enter({}, 'A plain one');
  const { page, id } = place;
  await page.getByText('Plain.').waitFor();
  const { giri } = (await server.call('GET', `/ext/sessions/${id}/times`)).data;
  expect(giri).toHaveLength(1);
  const times = page.locator('time.turn-time');
  await until(async () => ((await times.count()) === 2 ? true : undefined));
  expect(await times.evaluateAll((all) => all.map((time) => (time as HTMLTimeElement).dateTime))).toEqual([
    giri[0].iniziatoAlle,
    giri[0].finitoAlle,
  ]);
  await page.getByRole('textbox', { name: /message/i }).fill('Another plain one');
  await page.keyboard.press('Enter');
  await until(async () => ((await times.count()) === 4 ? true : undefined));
});

walk('names a session after its first answer, and leaves a name that the user gave', async () => {
  await using place = await visit({ browser: browser as Browser, server });
  const { page } = place;
  await page.goto(new URL('/settings/appearance', server.url).href);
  const names = page.getByLabel('Name new sessions with the model');
  await names.setChecked(true);
  await shot(page, 'settings-appearance');
  const id = await server.startSession({ consegna: 'A plain one' });
  await page.goto(new URL(`/sessions/${id}`, server.url).href);
  await page.getByRole('heading', { name: 'Explain quadratic roots', exact: true }).waitFor();
  const named = await server.startSession({ consegna: 'A plain one' });
  await server.settled(named);
  await server.call('POST', `/sessions/${named}/rename`, { body: { nome: 'Mine' } });
  const before = server.model.requests.length;
  await page.goto(new URL(`/sessions/${named}`, server.url).href);
  await page.getByRole('heading', { name: 'Mine', exact: true }).waitFor();
  const answer = await server.call('POST', `/ext/sessions/${named}/title`);
  expect(answer.data).toEqual({ nome: 'Mine', impostato: false });
  expect(server.model.requests.length).toBe(before);
});
