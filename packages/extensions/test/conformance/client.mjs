// A client for the official conformance suite, which starts it with the address of its server: the MCP part of this
// package with a user who accepts every form and every sign-in.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOutboundHttp, systemAmbient } from '@fucina/shared';
import { createMcp } from '../../dist/mcp/mcp.js';
import { createTrustStore } from '../../dist/trust/trust-store.js';

const RETURN_TO = 'http://127.0.0.1:7333/api/v1/ext/mcp/sign-in/callback';
const METADATA_URL = 'https://conformance-test.local/client-metadata.json';
const MOST_SIGN_INS = 3;

const url = process.argv.at(-1);
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}');
const root = await mkdtemp(join(tmpdir(), 'fucina-conformance-'));
const homeDir = join(root, 'home');
await mkdir(homeDir);
/** How long a turn waits for a server that starts. On a busy computer the tools would come after it, and none be called. */
const START_WAIT_MS = 2_500;
const BUSY_START_WAIT_MS = 60_000;
const system = systemAmbient('error');
const ambient = {
  ...system,
  timer: (ms, act) => system.timer(ms === START_WAIT_MS ? BUSY_START_WAIT_MS : ms, act),
};
const http = createOutboundHttp({ ambient });
const keys = new Map();
const dataDir = join(root, 'data');
const mcp = createMcp({
  ambient,
  environment: { PATH: process.env.PATH, HOME: homeDir },
  http,
  dataDir,
  homeDir,
  secrets: {
    read: async (account) => keys.get(account),
    write: async (account, value) => void keys.set(account, value),
    remove: async (account) => void keys.delete(account),
  },
  trust: createTrustStore({ ambient, dataDir }),
  isEnabled: () => true,
  clientMetadataUrl: METADATA_URL,
});

const server = { scope: 'everywhere', folder: null, id: 'conformance' };
const session = { sessionId: 'conformance', folder: homeDir };
const definition = { url, args: [], environment: {}, headers: {}, ...(await clientOf(context)) };

/** What a user enters in the form of the server, for the credentials of the scenario. */
async function clientOf({ name, client_id: id, client_secret: secret, ...given }) {
  if (!id) return {};
  const written = async (file, text) => {
    const path = join(root, file);
    await writeFile(path, text, { mode: 0o600 });
    return path;
  };
  const known = { id, ...(secret && { secret }) };
  if (given.private_key_pem) {
    const keyFile = await written('key.pem', given.private_key_pem);
    return { client: { ...known, grant: 'client-credentials', issuer: await issuerOf(), keyFile } };
  }
  if (name === 'auth/client-credentials-basic') {
    return { client: { ...known, grant: 'client-credentials', issuer: await issuerOf() } };
  }
  if (given.valid_jwt) {
    const tokenFile = await written('workload.jwt', given.valid_jwt);
    return { client: { ...known, grant: 'workload', issuer: await issuerOf(), tokenFile } };
  }
  if (given.idp_id_token) {
    const tokenFile = await written('id-token.jwt', given.idp_id_token);
    const identity = { identityTokenUrl: given.idp_token_endpoint, identityId: given.idp_client_id };
    return { client: { ...known, grant: 'company', issuer: await issuerOf(), tokenFile, ...identity } };
  }
  return { client: known };
}

/** The authorization server that the operator of the server names. */
async function issuerOf() {
  const { origin, pathname } = new URL(url);
  const metadata = await (await fetch(`${origin}/.well-known/oauth-protected-resource${pathname}`)).json();
  return metadata.authorization_servers[0];
}

/** The user opens the page, and the browser comes back. */
async function signIn() {
  const { address } = await mcp.servers.signIn(server, undefined, RETURN_TO);
  const { headers } = await fetch(address, { redirect: 'manual' });
  const answer = Object.fromEntries(new URL(headers.get('location')).searchParams);
  await mcp.servers.finishSignIn(answer);
}

const needsSignIn = async () => ['needed', 'more'].includes((await mcp.servers.row(server, undefined)).signIn);

const ours = (name) => `mcp__${server.id}__${name}`;

/** What the scenario wants called, or each tool with some number for every argument. */
function callsOf(tools) {
  if (context.toolCalls) return context.toolCalls.map(({ name, arguments: input }) => ({ name: ours(name), input }));
  const schema = tools.find(({ name }) => name !== ours('json_schema_echo'))?.input.meta();
  return tools.map(({ name, input }) => {
    const names = Object.keys(input.meta()?.properties ?? {});
    const numbers = Object.fromEntries(names.map((each, at) => [each, at + 2]));
    return { name, input: name === ours('json_schema_echo') ? { schema } : numbers };
  });
}

async function callEach() {
  const tools = await mcp.tools(session);
  for (const { name, input } of callsOf(tools)) {
    const tool = tools.find((each) => each.name === name);
    const result = await tool.run(tool.input.parse(input), {
      signal: new AbortController().signal,
      progress: () => undefined,
      tell() {
        for (const { requestId } of mcp.waiting(session.sessionId)) {
          void mcp.answer(session.sessionId, requestId, { action: 'accept', content: {} });
        }
      },
    });
    if (result.isError) console.error(`${name}: ${result.content}`);
  }
}

try {
  await mcp.servers.add({ ...server, definition, secrets: {} });
  for (let signIns = 0; ; signIns += 1) {
    const failure = await callEach().then(
      () => undefined,
      (error) => error,
    );
    if (!(await needsSignIn())) {
      if (failure) throw failure;
      break;
    }
    if (signIns === MOST_SIGN_INS) throw new Error('the server asks for a sign-in again and again');
    await signIn();
  }
} catch (error) {
  console.error(error);
  for (const { text } of await mcp.servers.log(server)) console.error(text);
  process.exitCode = 1;
} finally {
  await mcp[Symbol.asyncDispose]();
  await http[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
}
