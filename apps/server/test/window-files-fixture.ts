import { type Reply, type TempDir, tempDir } from '@fucina/testkit';
import type { Browser, Locator } from 'playwright-core';
import { type TestServer, testServer } from './harness.ts';
import { launchBrowser, type Visit, visit, WINDOW_FOLDER } from './window-visit.ts';

/** The model's behavior for a message that begins with one of these words. */
const ACTS: Record<string, Reply> = {
  WRITE: {
    toolCalls: [
      { name: 'scrivi', arguments: { percorso: 'src/new.ts', contenuto: 'export const made = 1;\n' } },
      { name: 'leggi', arguments: { percorso: 'src/long.ts', da: 120 } },
    ],
  },
  REPORT: {
    toolCalls: [
      {
        name: 'document_create',
        arguments: {
          format: 'docx',
          title: 'Report',
          report: { blocks: [{ type: 'p', text: 'Words of the report' }] },
        },
      },
      {
        name: 'document_create',
        arguments: { format: 'pptx', title: 'Talk', slides: [{ title: 'First slide', bullets: ['One'] }] },
      },
    ],
  },
};

export interface FilesFixture extends AsyncDisposable {
  server: TestServer;
  browser: Browser;
  folder: TempDir;
  /** Opens the files of a new session in the folder, or one of them. */
  look(search?: string, consegna?: string): Promise<Look>;
}

export interface Look extends Visit {
  id: string;
  tree: Locator;
  row(name: string | RegExp): Locator;
  /** Another path of the same session. */
  goto(search: string): Promise<void>;
}

/** Undefined without a browser. */
export async function filesFixture(files: Parameters<TempDir['write']>[0]): Promise<FilesFixture | undefined> {
  const browser = await launchBrowser();
  if (!browser) return undefined;
  const folder = await tempDir();
  await folder.write(files);
  const server = await testServer({
    windowFolder: WINDOW_FOLDER,
    script: ({ lastRole, lastText }) =>
      (lastRole === 'user' && ACTS[/^\w+/.exec(lastText)?.[0] ?? '']) || { text: 'See `src/long.ts:150`.' },
  });
  return {
    server,
    browser,
    folder,
    async look(search = '', consegna = 'Look around.') {
      const id = await server.startSession({
        cartellaLibera: folder.path,
        consegna,
        permessi: 'Workspace write',
        linguaInterfaccia: 'en',
      });
      await server.settled(id);
      const seen = await visit({ browser, server }, { permissions: ['clipboard-read', 'clipboard-write'] });
      const goto = async (more: string) => {
        await seen.page.goto(new URL(`/sessions/${id}/files${more}`, server.url).href);
        await seen.page.getByRole('tree').waitFor();
      };
      await goto(search);
      const tree = seen.page.getByRole('tree');
      return { ...seen, id, tree, row: (name) => tree.getByRole('treeitem', { name }), goto };
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
