// An MCP server whose only tool asks the user a question: its first argument, as JSON.
import { createInterface } from 'node:readline';

const [, , asked = '{}'] = process.argv;
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
let calling;

function answer({ id, method, params, result, error }) {
  if (id === 'q') {
    const text = JSON.stringify(result ?? error);
    return send({ id: calling, result: { content: [{ type: 'text', text }] } });
  }
  if (method === 'initialize') {
    const serverInfo = { name: 'asking', version: '1' };
    return send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  }
  if (method === 'tools/list') {
    return send({ id, result: { tools: [{ name: 'ask', description: 'Asks.', inputSchema: { type: 'object' } }] } });
  }
  if (method === 'tools/call') {
    calling = id;
    return send({ id: 'q', method: 'elicitation/create', params: JSON.parse(asked) });
  }
  if (id !== undefined && method) send({ id, error: { code: -32601, message: 'no' } });
}

createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line)));
