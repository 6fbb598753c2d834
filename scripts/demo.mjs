// A whole session without a key or network: a scripted model fixes a sample project and asks for one approval. With
// --auto this program approves it and prints the result, as a check.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressesOf, build, liveTogether, openInBrowser, startReady } from './lib.mjs';

const isAuto = process.argv.includes('--auto');
build('@fucina/server', '@fucina/window', '@fucina/testkit');
const { DEMO_TASK, sampleProject } = await import('../packages/testkit/dist/index.js');

const data = await mkdtemp(join(tmpdir(), 'fucina-demo-'));
const project = await sampleProject();
const token = randomBytes(32).toString('hex');
const model = await startReady('packages/testkit/dist/model-server-main.js', { args: ['demo'] });
const server = await startReady('apps/server/dist/main.js', {
  env: {
    FUCINA_TOKEN: token,
    FUCINA_DATA_DIR: data,
    FUCINA_KEY_STORE: 'memory',
    FUCINA_MODEL: 'ollama:scripted',
    FUCINA_PROJECTS: project.path,
    FUCINA_LOG: 'warn',
  },
});
liveTogether([model.child, server.child]);
server.child.once(
  'exit',
  () => void Promise.all([rm(data, { recursive: true, force: true }), project[Symbol.asyncDispose]()]),
);

const api = async (method, path, body) => {
  const response = await fetch(`${server.ready.url}api/v1${path}`, {
    method,
    headers: { cookie: `svc_token=${token}`, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!answer.ok) throw new Error(`${path}: ${answer.error.code}: ${answer.error.explanation}`);
  return answer.data;
};

await api('POST', '/providers/ollama/runtime', { endpoint: model.ready.url, timeoutSeconds: 60 });
const { sessionId } = await api('POST', '/sessions/custom', {
  cartellaLibera: project.path,
  consegna: DEMO_TASK,
  modello: 'ollama:scripted',
  permessiPerAttrezzo: { file_edit: 'chiedi' },
});
const addresses = await addressesOf(server.ready.url, { token, folder: data });
console.log(`\n  The demo runs. Watch it, and answer its one question, here:\n\n  ${addresses.shown}\n`);
if (isAuto) await answerByItself();
else await openInBrowser(addresses, data);

async function answerByItself() {
  for (;;) {
    const { pending } = await api('GET', `/sessions/${sessionId}/pending`);
    if (pending) await api('POST', `/sessions/${sessionId}/approve`, { requestId: pending.requestId, approvato: true });
    const row = (await api('GET', '/sessions')).items.find((item) => item.sessionId === sessionId);
    if (row.conclusa) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const { eventi } = await api('GET', `/sessions/${sessionId}/export`);
  const results = eventi.filter((event) => event.type === 'ToolCallResult' && event.exitCode !== undefined);
  const isFixed =
    results.at(0)?.exitCode !== 0 && results.at(-1)?.exitCode === 0 && eventi.at(-1).type === 'RunFinished';
  const text = eventi.filter((event) => event.type === 'TextMessageContent').map((event) => event.delta);
  console.log(text.join(''));
  console.log(`\n  tests before: exit ${results.at(0)?.exitCode}; tests after: exit ${results.at(-1)?.exitCode}`);
  process.exitCode = isFixed ? 0 : 1;
  server.child.kill('SIGTERM');
}
