import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type Reply, type TestServer, testServer, until } from './harness.ts';

/** The server of a test file about automations, opened and closed with it. */
export let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());
beforeEach(() => server.model.script(() => ({ text: 'Two tests fail.' })));

export const base = () => ({
  nome: 'Morning',
  istruzioni: 'Look at the tests.',
  cartella: server.project.path,
  modello: 'ollama:tiny',
  pianificazione: { tipo: 'giornaliera', ora: '09:00' },
  fusoOrario: 'Europe/Rome',
});
export const create = (fields: object = {}): Promise<Reply> =>
  server.call('POST', '/automations', { body: { ...base(), ...fields } });
export const made = async (fields: object = {}): Promise<string> => (await create(fields)).data.id;
export const legacy = async (): Promise<string> =>
  (await server.call('POST', '/automations', { body: { taskId: 'carrello-sconti', intervalloMinuti: 60 } })).data.id;
export const post = (id: string, act: string, body?: object): Promise<Reply> =>
  server.call('POST', `/automations/${id}/${act}`, { body });
export const runs = async (id: string): Promise<any[]> =>
  (await server.call('GET', `/automations/${id}/runs`)).data.items;
export const ended = (id: string): Promise<any> =>
  until(async () => {
    const [run] = await runs(id);
    return run && run.esito !== 'partita' ? run : undefined;
  });
export const hang = (): void => server.model.script(() => ({ fault: { kind: 'hang' } }));
export const refused = (code: string, status: number) => ({ code, status });

/** A run in progress, and its automation. */
export async function going(fields: object = {}): Promise<{ id: string; runId: string; sessionId: string }> {
  hang();
  const id = await made(fields);
  const { data } = await post(id, 'esegui');
  return { id, ...data };
}

/** A finished run that proposed other instructions. */
export async function proposed(
  instructions = 'Look at the tests and the build.',
): Promise<{ id: string; runId: string }> {
  const { id, runId } = await going();
  const run = (await server.host.services.automations.runs(id))[0];
  if (run) await server.host.services.automations.self.propose(run, instructions);
  await post(id, 'ferma');
  await ended(id);
  return { id, runId };
}
