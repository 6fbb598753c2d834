import { createConnectProxy } from '@fucina/shared/testing';
import { createModelServer, sampleProject, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { type ChildServer, startChild } from '../child-server.ts';
import { readStream } from '../harness.ts';

const PASSWORD = 'canary-of-the-proxy';
const ENGLISH = { headers: { 'accept-language': 'en' } };

async function connectProvider({ call }: ChildServer): Promise<void> {
  await call('POST', '/providers/deepseek/runtime', { body: { endpoint: 'http://models.test/v1' } });
  await call('POST', '/providers/deepseek/key', { body: { key: 'sk-0123456789abcdef' } });
}

async function row({ call }: ChildServer, id: string): Promise<any> {
  const { data } = await call('GET', '/doctor', ENGLISH);
  return data.voci.find((one: any) => one.id === id);
}

test('requests to a provider use the proxy of the environment, and its password is never shown', async () => {
  await using dir = await tempDir();
  await using model = await createModelServer();
  await using proxy = await createConnectProxy(Number(new URL(model.url).port));
  const env = { http_proxy: `http://ann:${PASSWORD}@${proxy.address}` };
  await using child = await startChild({ dataDir: dir.path, env });
  await connectProvider(child);
  const tested = await child.call('POST', '/providers/deepseek/test', ENGLISH);
  expect(tested.data).toMatchObject({ esito: 'raggiunto' });
  const login = Buffer.from(`ann:${PASSWORD}`).toString('base64');
  expect(proxy.asked).toEqual([`models.test:80 Basic ${login}`]);
  const report = await row(child, 'proxy');
  expect(report).toMatchObject({
    stato: 'ok',
    dettaglio: expect.stringContaining(`http://${proxy.address} (http_proxy)`),
  });
  for (const text of [tested.text, JSON.stringify(report), child.stderr()]) {
    expect(text).not.toMatch(new RegExp(`${PASSWORD}|${login}`));
  }
});

test('a proxy that refuses is named in the test of the provider and at the end of the turn', async () => {
  await using dir = await tempDir();
  await using project = await sampleProject();
  await using proxy = await createConnectProxy({ status: 407 });
  const env = { HTTP_PROXY: `http://ann:${PASSWORD}@${proxy.address}` };
  await using child = await startChild({ dataDir: dir.path, env });
  await connectProvider(child);
  const tested = await child.call('POST', '/providers/deepseek/test', ENGLISH);
  expect(tested.data).toMatchObject({
    esito: 'irraggiungibile',
    dettaglio: `http://${proxy.address}: The proxy requires a user name and a password: add them to its address.`,
  });
  const body = { cartellaLibera: project.path, consegna: 'x', modello: 'deepseek:m' };
  const { sessionId } = (await child.call('POST', '/sessions/custom', { body })).data;
  const stream = await readStream(child, sessionId, { isDone: ({ type }) => /^Run(Finished|Error)$/.test(type) });
  expect(stream.at(-1)?.event).toMatchObject({
    code: 'PROXY_FAILED',
    classe: 'rete',
    message: `The proxy http://${proxy.address} requires a user name and a password in its address (status 407).`,
  });
  for (const text of [tested.text, JSON.stringify(stream), child.stderr()]) expect(text).not.toContain(PASSWORD);
});

test('a variable that is not the address of a proxy is reported', async () => {
  await using dir = await tempDir();
  await using child = await startChild({
    dataDir: dir.path,
    env: { ALL_PROXY: `socks5://ann:${PASSWORD}@127.0.0.1:9` },
  });
  await connectProvider(child);
  expect(await row(child, 'proxy')).toMatchObject({
    stato: 'attenzione',
    dettaglio: 'ALL_PROXY: does not contain the http or https address of a proxy. Requests fail.',
  });
  const tested = await child.call('POST', '/providers/deepseek/test', ENGLISH);
  expect(tested.data.dettaglio).toMatch(/^ALL_PROXY: /);
});
