import { type TempRepo, tempRepo } from '@fucina/testkit';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type TestServer, testServer, until } from '../harness.ts';

/** What the model was sent after an edit, by the text that it wrote. */
const results = new Map<string, string>();
let release: () => void;
let released: Promise<void>;

let server: TestServer;
beforeAll(async () => {
  server = await testServer({
    async script({ lastRole, lastText, body }) {
      const [, text = '', how] = /Write (\w+)(?: (twice|below|slowly))?/.exec(JSON.stringify(body)) ?? [];
      const percorso = how === 'below' ? 'c.txt' : 'sub/c.txt';
      const write = (contenuto: string) => ({
        toolCalls: [
          { name: 'leggi', arguments: { percorso } },
          { name: 'scrivi', arguments: { percorso, contenuto } },
        ],
      });
      if (lastRole === 'user') return write(text);
      const isSecond = results.has(text);
      results.set(isSecond ? `${text} again` : text, lastText);
      if (how === 'twice' && !isSecond) return write(`${text} again`);
      if (how === 'slowly') await released;
      return { text: 'Done.' };
    },
  });
});
afterAll(async () => server[Symbol.asyncDispose]());

async function worktreeOf(repo: TempRepo, titolo: string): Promise<string> {
  const body = { cartella: repo.path, titolo };
  return (await server.call('POST', '/ext/worktrees', { body })).data.worktree.cartella;
}
const start = (cartellaLibera: string, consegna: string): Promise<string> =>
  server.startSession({ cartellaLibera, consegna, permessi: 'Workspace write' });
async function edited(folder: string, task: string, text: string): Promise<string> {
  await server.settled(await start(folder, task));
  return results.get(text) ?? '';
}

test('an edit names the running sessions that changed the same file, also in other worktrees, once', async () => {
  released = new Promise((resolve) => {
    release = resolve;
  });
  await using repo = await tempRepo({ 'a.txt': 'a\n', 'sub/c.txt': 'c\n' });
  const first = await start(await worktreeOf(repo, 'First'), 'Write one slowly');
  await until(async () => results.get('one'));
  const notice =
    'Other running sessions have changed the same files of this repository:\n' +
    '- sub/c.txt: "Write one slowly" (in the work tree first)';
  expect(await edited(repo.path, 'Write two twice', 'two')).toContain(notice);
  expect(results.get('two again')).not.toContain('Other running sessions');
  expect(await edited(`${repo.path}/sub`, 'Write three below', 'three')).toContain(notice);
  release();
  await server.settled(first);
  expect(await edited(repo.path, 'Write four', 'four')).not.toContain('Other running sessions');
});
