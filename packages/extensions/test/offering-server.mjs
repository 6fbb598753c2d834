// A server that offers more than tools: its list of tools grows, it answers with media, asks for roots and the
// model, logs, and says when a resource changes.
import { createInterface } from 'node:readline';

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const prompts = [];
const names = ['grow', 'media', 'roots', 'sample', 'change', 'endless', 'meta'];
let version = 1;
const subscribed = new Set();
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const bytes = (size) => Buffer.alloc(size).toString('base64');
const CONTENT = [
  { type: 'text', text: 'All of it:' },
  { type: 'audio', data: bytes(2_000), mimeType: 'audio/wav' },
  { type: 'image', data: bytes(10), mimeType: 'image/tiff' },
  { type: 'resource', resource: { uri: 'demo://blob', blob: bytes(300), mimeType: 'application/pdf' } },
  { type: 'resource', resource: { uri: 'demo://pixel', blob: PIXEL, mimeType: 'image/png' } },
  { type: 'resource', resource: { uri: 'demo://report', blob: Buffer.from('%PDF-1.7').toString('base64') } },
  { type: 'resource_link', uri: 'demo://big', name: 'big', mimeType: 'text/csv', size: 12 },
];
const TIME = '2026-01-01T00:00:00Z';
const TASK = {
  taskId: 't1',
  status: 'working',
  statusMessage: 'still there',
  createdAt: TIME,
  lastUpdatedAt: TIME,
  ttl: null,
  pollInterval: 50,
};
let calling;

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      logging: {},
      resources: { subscribe: true },
      tasks: { requests: { tools: { call: {} } }, cancel: {} },
    },
    serverInfo: { name: 'offering', version: '1' },
  }),
  'tools/list': () => ({
    tools: names.map((name) => ({
      name,
      inputSchema: { type: 'object' },
      ...(name === 'endless' && { execution: { taskSupport: 'required' } }),
    })),
  }),
  'prompts/list': () => ({ prompts }),
  'resources/list': () => ({ resources: [{ uri: 'demo://pixel', name: 'pixel' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'demo://{day}', name: 'day' }] }),
  'resources/read': ({ uri }) => ({
    contents: [
      uri === 'demo://pixel' ? { uri, blob: PIXEL, mimeType: 'image/png' } : { uri, text: `about ${uri}, ${version}` },
    ],
  }),
  'tasks/get': () => TASK,
  'tasks/cancel': ({ taskId }) => {
    send({ method: 'notifications/message', params: { level: 'info', data: `cancelled ${taskId}` } });
    return { ...TASK, status: 'cancelled' };
  },
  'resources/subscribe': ({ uri }) => {
    subscribed.add(uri);
    return {};
  },
  'logging/setLevel': ({ level }) => {
    send({ method: 'notifications/message', params: { level, data: 'level is set' } });
    return {};
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
  if (id === 'roots') return send({ id: calling, result: text(result) });
  if (id === 'sample') return send({ id: calling, result: text({ result, error }) });
  if (method === 'tools/call' && params.name === 'sample') {
    calling = id;
    return send({ id: 'sample', method: 'sampling/createMessage', params: params.arguments });
  }
  if (method === 'tools/call' && params.name === 'roots') {
    calling = id;
    return send({ id: 'roots', method: 'roots/list' });
  }
  if (method === 'tasks/result') return undefined;
  if (params?.task) return send({ id, result: { task: TASK } });
  if (method === 'tools/call' && params.name === 'change') {
    version += 1;
    for (const uri of subscribed) send({ method: 'notifications/resources/updated', params: { uri } });
    return send({ id, result: text(version) });
  }
  if (method === 'resources/read' && params.uri === 'demo://broken')
    return send({ id, error: { code: -32002, message: 'no such thing' } });
  if (method === 'tools/call' && params.name === 'meta') return send({ id, result: text(params._meta ?? null) });
  if (method === 'tools/call' && params.name === 'media') return send({ id, result: { content: CONTENT } });
  if (method === 'tools/call') {
    names.push('more');
    send({ method: 'notifications/tools/list_changed' });
    prompts.push({ name: 'later' });
    send({ method: 'notifications/prompts/list_changed' });
    return send({ id, result: { content: [] } });
  }
  const answer = results[method];
  if (answer) send({ id, result: answer(params) });
  else if (id !== undefined && method) send({ id, error: { code: -32601, message: 'no' } });
});
