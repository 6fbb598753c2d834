// The least that a turn must do, as the bare operation beside ours: it takes a message over HTTP, stores it before it answers,
// asks the model, runs a command, stores every event before it sends it on a stream, and nothing else. Same libraries, same
// number of commits, each with `fsync` (RELIABILITY.md: transaction, fsync, broadcast, answer).
// `node bare-program.mjs <folder for its store> <folder to work in> <address of the model> [sandboxed] [unsynced]`:
// with the last word it does not wait for the disk, which shows what the wait costs.
import { spawn } from 'node:child_process';
import { Agent, createServer, request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sqliteDriver } from '../packages/shared/dist/testing.js';

const [, , home, project, model, ...words] = process.argv;
const isSandboxed = words.includes('sandboxed');
const db = new (sqliteDriver())(join(home, 'bare.db'));
db.pragma('journal_mode = WAL');
db.pragma(`synchronous = ${words.includes('unsynced') ? 'OFF' : 'FULL'}`);
db.exec('CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, json TEXT NOT NULL)');
const insert = db.prepare('INSERT INTO events (json) VALUES (?)');
const store = db.transaction((events) => events.map((event) => insert.run(JSON.stringify(event)).lastInsertRowid));

const agent = new Agent({ keepAlive: true });
const messages = [];
const readers = new Set();

/** Stored with `fsync`, then sent. */
function append(events) {
  const numbers = store(events);
  const text = events.map((event, at) => `id: ${numbers[at]}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  for (const reader of readers) reader.write(text);
}

async function runTurn() {
  for (;;) {
    const { text, calls, last } = await ask();
    if (!calls.length) {
      messages.push({ role: 'assistant', content: text });
      return append([...last, { type: 'RunFinished' }]);
    }
    messages.push({ role: 'assistant', content: text, tool_calls: calls });
    append([...last, { type: 'ToolCallStart', calls }]);
    for (const { id, function: called } of calls) {
      const output = await run(JSON.parse(called.arguments).command);
      messages.push({ role: 'tool', tool_call_id: id, content: output });
      append([{ type: 'ToolCallResult', output }]);
    }
  }
}

/** Its text is stored and sent delta by delta, those that arrived together in one commit. */
async function ask() {
  const answer = await new Promise((done, fail) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(`${model}/v1/chat/completions`, { method: 'POST', agent, headers }, done);
    sent.once('error', fail);
    sent.end(JSON.stringify({ model: 'bench', stream: true, messages }));
  });
  let text = '';
  const calls = [];
  const waiting = [];
  const flush = () => {
    if (waiting.length) append(waiting.splice(0));
  };
  for await (const line of createInterface({ input: answer })) {
    if (!line.startsWith('data: {')) continue;
    const delta = JSON.parse(line.slice(6)).choices?.[0]?.delta;
    for (const { index, id, function: part } of delta?.tool_calls ?? []) {
      calls[index] ??= { id, type: 'function', function: { name: part.name, arguments: '' } };
      calls[index].function.arguments += part.arguments ?? '';
    }
    if (!delta?.content) continue;
    text += delta.content;
    if (!waiting.length) setImmediate(flush);
    waiting.push({ type: 'TextMessageContent', delta: delta.content });
  }
  // The last ones are stored with the event that follows: one commit less.
  return { text, calls, last: waiting.splice(0) };
}

const WALL = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--bind', project, project, '--unshare-all'];

function run(command) {
  const [program, ...args] = [...(isSandboxed ? ['bwrap', ...WALL] : []), 'bash', '-c', command];
  const child = spawn(program, args, { cwd: project, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  child.stdout.on('data', (bytes) => (output += bytes));
  return new Promise((done) => child.once('close', () => done(output)));
}

const server = createServer((asked, answer) => {
  if (asked.method === 'GET') {
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    answer.flushHeaders();
    return void readers.add(answer);
  }
  let body = '';
  asked.on('data', (bytes) => (body += bytes));
  asked.on('end', () => {
    messages.push({ role: 'user', content: JSON.parse(body).messaggio });
    append([{ type: 'RunStarted', messages: messages.slice(-1) }]);
    answer.writeHead(200, { 'content-type': 'application/json' });
    answer.end('{"ok":true,"data":{}}');
    void runTurn();
  });
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${JSON.stringify({ port: server.address().port })}\n`));
process.once('SIGTERM', () => {
  for (const reader of readers) reader.end();
  server.close(() => process.exit());
  server.closeIdleConnections();
});
