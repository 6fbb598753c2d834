import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { freePort } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { fixture, program, toolNamed } from '../../test/mcp-fixture.ts';
import { everythingAt } from '../../test/mcp-http-fixture.ts';
import { isHere } from './open-client.ts';

const SERVER = join(import.meta.dirname, '../../test/offering-server.mjs');
const reference = { scope: 'everywhere' as const, folder: null, id: 'all' };

async function offering(argument = SERVER) {
  const place = await fixture();
  const definition = { command: 'node', args: [argument], environment: {}, headers: {} };
  await place.mcp.servers.add({ ...reference, definition, secrets: {} });
  return place;
}

const ours = (name: string) => `mcp__all__${name}`;

describe('what an MCP server offers beyond tools', () => {
  test('a changed list of tools is offered at the next turn, and changed prompts are commands', async () => {
    await using place = await offering();
    const names = async () => (await place.tools()).map(({ name }) => name);
    expect(await names()).not.toContain(ours('more'));
    await place.call(toolNamed(await place.tools(), ours('grow')));
    while (!(await names()).includes(ours('more'))) await new Promise((done) => setTimeout(done, 20));
    const commands = async () => (await place.mcp.prompts(place.folder)).map(({ name }) => name);
    while (!(await commands()).includes(ours('later'))) await new Promise((done) => setTimeout(done, 20));
    const [row] = (await place.mcp.servers.list(undefined)).rows;
    expect(row?.tools?.map(({ name }) => name)).toContain('more');
    // The server was not started anew.
    const log = await place.mcp.servers.log(reference);
    expect(log.filter(({ text }) => text === 'starting')).toHaveLength(1);
    expect(log.map(({ text }) => text)).toContain('the list of tools has changed');
  });

  test('a call carries the trace context of its turn, if there is one', async () => {
    await using place = await offering();
    const meta = toolNamed(await place.tools(), ours('meta'));
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const traced = await place.call(meta, {}, undefined, { traceparent });
    expect(JSON.parse(traced.content)).toMatchObject({ traceparent });
    expect((await place.call(meta)).content).not.toContain('traceparent');
  });

  test('of a result the model gets images, audio and PDF, and of other bytes the type and the size', async () => {
    await using place = await offering();
    const result = await place.call(toolNamed(await place.tools(), ours('media')));
    expect(result.content).toBe(
      [
        'All of it:',
        '(audio, audio/wav, 2000 bytes: not shown)',
        '(image, image/tiff, 10 bytes: not shown)',
        '(demo://blob, application/pdf, 300 bytes: not shown)',
        'Resource big: demo://big, text/csv, 12 bytes',
      ].join('\n'),
    );
    expect(result.images).toMatchObject([{ mimeType: 'image/png' }]);
    // By its first bytes, whatever the server says of it.
    expect(result.media).toEqual([
      { mimeType: 'application/pdf', bytes: Buffer.from('%PDF-1.7'), name: 'demo://report' },
    ]);
  });

  test('templates of resources are listed, and one is read with its parts filled in', async () => {
    await using place = await offering();
    const resources = toolNamed(await place.tools(), ours('resources-and-prompts'));
    expect((await place.call(resources)).content).toBe(
      'resource demo://pixel (pixel)\nresource template demo://{day} (day)',
    );
    expect((await place.call(resources, { resource: 'demo://monday' })).content).toBe('about demo://monday, 1');
    expect(await place.call(resources, { resource: 'demo://pixel' })).toMatchObject({
      content: '',
      images: [{ mimeType: 'image/png' }],
    });
  });

  test('sends the folder of the session to a server as its root', async () => {
    const root = (folder: string) => ({ uri: pathToFileURL(folder).href, name: basename(folder) });
    await using place = await offering();
    const { content } = await place.call(toolNamed(await place.tools(), ours('roots')));
    expect(JSON.parse(content as string)).toEqual({ roots: [root(place.folder)] });
    await using official = await offering(program('server-everything'));
    const list = async () => toolNamed(await official.tools(), ours('get-roots-list'));
    // It offers the tool once it knows that there are roots.
    while (!(await list())) await new Promise((done) => setTimeout(done, 20));
    expect((await official.call(await list())).content).toContain(root(official.folder).uri);
  });

  test('sends the session folder to a server at a local address', async () => {
    const port = await freePort();
    await using _server = await everythingAt(port);
    await using place = await fixture();
    const definition = { url: `http://127.0.0.1:${port}/mcp`, args: [], environment: {}, headers: {} };
    await place.mcp.servers.add({ ...reference, definition, secrets: {} });
    const list = async () => toolNamed(await place.tools(), ours('get-roots-list'));
    while (!(await list())) await new Promise((done) => setTimeout(done, 20));
    expect((await place.call(await list())).content).toContain(pathToFileURL(place.folder).href);
  });

  test.each([
    ['https://example.com/mcp', false],
    ['https://127.0.0.1.example.com/mcp', false],
    ['http://[::1]:8080/mcp', true],
  ])('sends the session folder only to servers on this computer: %s %s', (url, isTold) => {
    expect(isHere({ url })).toBe(isTold);
  });

  test('stores a server’s log messages from the requested level up', async () => {
    await using place = await offering();
    await place.tools();
    const messages = async () =>
      (await place.mcp.servers.log(reference)).filter(({ kind }) => kind === 'message').map(({ text }) => text);
    expect(await messages()).toEqual(['info: level is set']);
  });

  test('its prompts are slash commands once it was connected, with their arguments', async () => {
    await using place = await offering(program('server-everything'));
    const { mcp, folder } = place;
    expect(await mcp.prompts(folder)).toEqual([]);
    await place.tools();
    while ((await mcp.prompts(folder)).length === 0) await new Promise((done) => setTimeout(done, 20));
    expect(await mcp.prompts(folder)).toContainEqual({
      name: ours('args-prompt'),
      summary: expect.stringContaining('arg'),
      usage: `/${ours('args-prompt')} <city> [state]`,
    });
    const read = (name: string, argument = '') => mcp.readPrompt(folder, { name: ours(name), argument });
    expect(await read('simple-prompt')).toEqual({ text: 'This is a simple prompt without arguments.' });
    const texts = await Promise.all(
      ['Torino Piemonte', 'city=Torino Piemonte', '"Torino" "Piemonte"'].map((typed) => read('args-prompt', typed)),
    );
    for (const answer of texts) expect(answer).toEqual({ text: "What's weather in Torino, Piemonte?" });
    expect(await read('args-prompt')).toEqual({
      problem: `city: missing. Usage: /${ours('args-prompt')} <city> [state]`,
    });
    expect(await read('none')).toBeUndefined();
    expect(await mcp.readPrompt(folder, { name: 'mcp__other__simple-prompt', argument: '' })).toBeUndefined();
  });

  test('a prompt of a server that does not start says why', async () => {
    await using place = await offering(join(import.meta.dirname, 'no-such-file.mjs'));
    const answer = await place.mcp.readPrompt(place.folder, { name: ours('x'), argument: '' });
    expect(answer).toEqual({ problem: expect.stringContaining('all: exit code 1') });
  });
});
