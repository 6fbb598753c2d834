import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createModelServer, type ModelServer } from '@fucina/testkit';
import { type Computer, until } from './computer.ts';

/** All programs of the system but Node and npm. */
export function pathWithoutNode(place: string): string {
  const folder = join(place, 'path');
  mkdirSync(folder);
  for (const name of readdirSync('/usr/bin')) {
    if (!/^(node|nodejs|npm|npx|corepack)$/.test(name)) symlinkSync(join('/usr/bin', name), join(folder, name));
  }
  return folder;
}

const ECHO = { name: 'shell', arguments: { comando: 'echo from $((40 + 2))' } };

/** A model that runs a command and repeats what it printed. */
export function commandModel(): Promise<ModelServer> {
  return createModelServer({
    script: ({ lastRole, lastText }) => (lastRole === 'tool' ? { text: lastText } : { toolCalls: [ECHO] }),
  });
}

export interface FirstAnswer {
  model: ModelServer;
  /** Folder of the session, absolute. */
  project: string;
}

/** Waits for the server, sets the model up and has a first conversation; `text` is its export. */
export async function firstAnswer(
  { call }: Computer,
  { model, project }: FirstAnswer,
): Promise<{ sessionId: string; text: string }> {
  await until(() => call('sessions').catch(() => undefined));
  await call('providers/ollama/runtime', { endpoint: model.url, timeoutSeconds: 30 });
  const { sessionId } = await call('sessions/custom', {
    cartellaLibera: project,
    consegna: 'go',
    modello: 'ollama:tiny',
    permessi: 'Full access',
  });
  await until(async () => (await call('sessions')).items[0].conclusa || undefined);
  return { sessionId, text: JSON.stringify(await call(`sessions/${sessionId}/export`)) };
}
