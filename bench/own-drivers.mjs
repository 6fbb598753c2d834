// Fucina in the comparison with its peers, and the bare program beside it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { call, follow, nowMs, startBench, startNode } from './lib.mjs';
import { deltaAfter, environmentOf } from './peer-drivers.mjs';

/** Ours, over its interface, as the others: at Full access, no sandbox; or with one. `path`: of the model's address. */
export function ours(root, { permissions = 'Full access', name = 'Fucina', model = 'ollama:bench', path = '' } = {}) {
  return {
    name,
    toolCall: { name: 'shell', arguments: { comando: 'echo bench' } },
    async start({ url, home }) {
      // The same data folder at each start, as for the others.
      const bench = await startBench(undefined, { FUCINA_DATA_DIR: home }, root);
      await connect(bench, model, `${url}${path}`);
      const id = await bench.start('go', { modello: model });
      await rest(bench);
      await bench.api('POST', `/sessions/${id}/settings`, { permessi: permissions });
      const { eventi } = await bench.api('GET', `/sessions/${id}/export`);
      const asked = overStream({ port: bench.port, id, after: eventi.length, close: bench.close });
      return {
        ...asked,
        readyMs: bench.readyMs,
        async turn(onDelta) {
          const took = await asked.turn(onDelta);
          await rest(bench);
          return took;
        },
      };
    },
    oneShot({ url, home }) {
      const path = join(root, 'apps/cli/dist/main.js');
      const env = environmentOf(home, { FUCINA_DATA_DIR: home, FUCINA_CONFIG_DIR: home, FUCINA_KEY_STORE: 'memory' });
      spawnSync(process.execPath, [path, 'provider', 'set-address', 'ollama', url], { env });
      return {
        argv: [process.execPath, path, '-p', 'go', '--model', 'ollama:bench', '--permissions', permissions],
        env,
      };
    },
  };
}

/** The model's provider at this address, with a key where it takes one. */
export async function connect(bench, model, endpoint) {
  const [provider] = model.split(':');
  await bench.api('POST', `/providers/${provider}/runtime`, { endpoint, timeoutSeconds: 60 });
  if (provider !== 'ollama') {
    await bench.api('POST', `/providers/${provider}/keys`, { key: 'bench-key-0123456789', priorita: 0 });
  }
}

/** The least that a turn must do (bare-program.mjs), asked as ours; `word`: `sandboxed` or `unsynced`. */
export function bare(word) {
  return {
    name: word ? `bare program, ${word}` : 'bare program',
    toolCall: { name: 'bash', arguments: { command: 'echo bench' } },
    async start({ url, home, project }) {
      const args = [home, project, url, ...(word ? [word] : [])];
      const server = await startNode('bench/bare-program.mjs', { args });
      return { ...overStream({ port: server.ready.port, id: 'bare', close: server.stop }), readyMs: server.readyMs };
    },
  };
}

/** Its stream stays open from turn to turn, as the window's does. A turn answers its time, to its last event. */
function overStream({ port, id, after, close }) {
  let onEnd = () => undefined;
  let heard = () => undefined;
  const deltaOf = deltaAfter('{"type":"TextMessageContent"');
  const read = (data) => {
    const delta = deltaOf(data);
    if (delta !== undefined) heard(delta);
    else if (data.startsWith('{"type":"RunFinished"')) onEnd();
  };
  const stream = follow(port, id, read, after);
  return {
    reportsDeltas: true,
    async stop() {
      await close();
      await stream;
    },
    async turn(onDelta = () => undefined) {
      heard = onDelta;
      const end = new Promise((done) => (onEnd = () => done(nowMs())));
      const askedAt = nowMs();
      await call(port, 'POST', `/sessions/${id}/resume`, { messaggio: 'again' });
      return (await end) - askedAt;
    },
  };
}

async function rest(bench) {
  while (!(await bench.api('GET', '/sessions')).items[0].conclusa) await new Promise((done) => setImmediate(done));
}
