// An MCP server whose only tool answers with audio and a PDF.
import { createInterface } from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

// A tenth of a second of silence, so that a player shows a length.
const samples = Buffer.alloc(1_600, 0);
const head = Buffer.alloc(44);
head.write('RIFF', 0, 'latin1');
head.writeUInt32LE(36 + samples.length, 4);
head.write('WAVEfmt ', 8, 'latin1');
head.writeUInt32LE(16, 16);
head.writeUInt16LE(1, 20);
head.writeUInt16LE(1, 22);
head.writeUInt32LE(8_000, 24);
head.writeUInt32LE(16_000, 28);
head.writeUInt16LE(2, 32);
head.writeUInt16LE(16, 34);
head.write('data', 36, 'latin1');
head.writeUInt32LE(samples.length, 40);
const wav = Buffer.concat([head, samples]).toString('base64');
const blob = Buffer.from('%PDF-1.7 a page').toString('base64');

const content = [
  { type: 'text', text: 'Both of them:' },
  { type: 'audio', data: wav, mimeType: 'audio/wav' },
  { type: 'resource', resource: { uri: 'demo://reports/june.pdf', mimeType: 'application/pdf', blob } },
];

function answer({ id, method, params }) {
  if (method === 'initialize') {
    const serverInfo = { name: 'media', version: '1' };
    return send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo } });
  }
  if (method === 'tools/list') {
    return send({ id, result: { tools: [{ name: 'both', description: 'Both.', inputSchema: { type: 'object' } }] } });
  }
  if (method === 'tools/call') return send({ id, result: { content } });
  if (id !== undefined && method) send({ id, error: { code: -32601, message: 'no' } });
}

createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line)));
