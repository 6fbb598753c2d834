import { join } from 'node:path';
import { processesWith, tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { startChild } from './child-server.ts';
import { until } from './harness.ts';

/** Answers the handshake, starts a child, and ignores the end of its input and the signal to end. */
const STUBBORN = `
const { spawn } = require('node:child_process');
const word = process.argv[2];
if (!process.argv[3]) spawn(process.execPath, [__filename, word, 'child'], { stdio: 'ignore' });
process.on('SIGTERM', () => {});
setInterval(() => {}, 1000);
let rest = '';
process.stdin.on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const { id, method, params } of lines.map((line) => JSON.parse(line))) {
    const serverInfo = { name: 'stubborn', version: '1' };
    const results = {
      initialize: { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo },
      'tools/list': { tools: [] },
    };
    const answer = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'none' } };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  }
});
`;

describe('an MCP server that ignores the end of its input ends with our server', () => {
  test.each<NodeJS.Signals>(['SIGTERM', 'SIGKILL'])('ended by %s', async (signal) => {
    await using home = await tempDir();
    await using folder = await tempDir();
    await folder.write({ 'stubborn.cjs': STUBBORN });
    const [word, other] = [`${folder.path}/one`, `${folder.path}/other`];
    await using server = await startChild({ dataDir: home.path });
    const add = async (nome: string, argument: string): Promise<void> => {
      const definizione = {
        comando: process.execPath,
        argomenti: [join(folder.path, 'stubborn.cjs'), argument],
        ambiente: {},
        intestazioni: {},
      };
      const place = { ambito: 'progetto', cartella: folder.path };
      await server.call('POST', '/ext/mcp', { body: { nome, definizione, ...place } });
      const { data } = await server.call('POST', `/ext/mcp/${nome}/start`, { body: place });
      expect(data.server).toMatchObject({ stato: 'connesso' });
    };
    await add('one', word);
    await add('other', other);
    expect([processesWith(word).length, processesWith(other).length]).toEqual([2, 2]);
    await server.kill(signal);
    await until(async () => (processesWith(folder.path).length === 0 ? true : undefined));
  });
});
