import { expect } from '@jest/globals';
import { covers, refuses } from '../covers.ts';
import { type TestServer, until } from '../harness.ts';
import { serverWithoutLibrary } from '../library-fixture.ts';

const PATH = '/ext/engine/library';
const status = async (server: TestServer) => (await server.call('GET', PATH)).data.libreria;
const engineOf = async (server: TestServer) => (await server.call('GET', '/runtime')).data.items[0];

covers('ext.engine.library', 'says that the library is installed, or what would be', async () => {
  await using absent = await serverWithoutLibrary();
  expect(await status(absent.server)).toEqual({
    stato: 'assente',
    versione: '1.2.3',
    byte: 0,
    byteTotali: 2_000,
    problema: null,
    dettaglio: null,
  });
  expect(await engineOf(absent.server)).toMatchObject({ state: 'unavailable', reason: 'library-missing' });
});

covers('ext.engine.install', 'installs the library, which makes the engine available', async () => {
  await using place = await serverWithoutLibrary();
  const { server } = place;
  expect((await server.call('POST', PATH)).data.libreria).toMatchObject({ stato: 'in-corso' });
  const ended = await until(async () => {
    const now = await status(server);
    return now.stato === 'in-corso' ? undefined : now;
  });
  expect(ended).toMatchObject({ stato: 'installata', byte: 2_000, problema: null });
  expect(await engineOf(server)).toMatchObject({ state: 'observed' });
  expect((await server.call('POST', PATH)).data.libreria).toMatchObject({ stato: 'installata' });
});

covers('ext.engine.cancel', 'ends an installation, and changes nothing without one', async () => {
  await using place = await serverWithoutLibrary();
  const { server, registry } = place;
  registry.served.isSilent = true;
  await server.call('POST', PATH);
  expect((await server.call('DELETE', PATH)).data.libreria).toMatchObject({ stato: 'assente' });
  expect((await server.call('DELETE', PATH)).data.libreria).toMatchObject({ stato: 'assente' });
});

refuses('ext.engine.install', 'RUNTIME_NOT_AVAILABLE', 'where a build has nothing to install', async () => {
  await using place = await serverWithoutLibrary({}, false);
  expect(await place.server.call('POST', PATH)).toMatchObject({ code: 'RUNTIME_NOT_AVAILABLE' });
  expect(await status(place.server)).toMatchObject({ stato: 'non-disponibile' });
});
