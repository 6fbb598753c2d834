// Shared by the benchmarks: starts the built server and a scripted model, each in its own process, and reads streams.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { root } from '../scripts/lib.mjs';

export const TOKEN = 'bench-token-0123456789-0123456789-0123456789';
const agent = new Agent({ keepAlive: true });

/** Milliseconds of CLOCK_MONOTONIC, comparable between processes of one machine. */
export const nowMs = () => Number(process.hrtime.bigint()) / 1e6;

/** Without the certificates that this machine may name: Node reads them at its start, 40 ms for a whole bundle. */
const { NODE_EXTRA_CA_CERTS: _certificates, ...inherited } = process.env;

export async function startNode(file, { args = [], env = {}, from = root } = {}) {
  const startedAt = nowMs();
  const child = spawn(process.execPath, [join(from, file), ...args], {
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise((done, fail) => {
    createInterface({ input: child.stdout }).once('line', done);
    child.once('exit', (code) => fail(new Error(`${file} ended with ${code}`)));
  });
  const readyMs = nowMs() - startedAt;
  const stop = () =>
    new Promise((done) => {
      child.removeAllListeners('exit');
      child.once('exit', done);
      child.kill('SIGTERM');
    });
  return { pid: child.pid, ready: JSON.parse(line), readyMs, stop };
}

export function tempFolder() {
  const path = mkdtempSync(join(tmpdir(), 'fucina-bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

const FOLDERS = 100;
const FILES = 50;

/** Puts 5,000 small files into a folder, no two of them the same. */
export function fillFolder(path) {
  for (let at = 0; at < FOLDERS; at += 1) {
    mkdirSync(join(path, `d${at}`));
    for (let file = 0; file < FILES; file += 1) writeFileSync(join(path, `d${at}/f${file}.txt`), `${at} ${file}\n`);
  }
}

/**
 * A server over a fresh data folder, with a scripted model behind the provider `ollama`; `more`: of its environment;
 * `from`: the checkout whose built server is started.
 */
export async function startBench(scenario, more = {}, from = root) {
  const data = tempFolder();
  const project = tempFolder();
  const model =
    scenario &&
    (await startNode('packages/testkit/dist/model-server-main.js', {
      args: [scenarioArgument(scenario, project.path)],
    }));
  const server = await startNode('apps/server/dist/main.js', {
    from,
    env: {
      FUCINA_TOKEN: TOKEN,
      FUCINA_DATA_DIR: data.path,
      FUCINA_KEY_STORE: 'memory',
      FUCINA_PUBLIC_CATALOG: '0',
      FUCINA_PORT: '0',
      FUCINA_LOG: 'error',
      ...more,
    },
  });
  const { port } = server.ready;
  const api = async (method, path, body) => (await call(port, method, path, body)).data;
  if (model) await api('POST', '/providers/ollama/runtime', { endpoint: model.ready.url, timeoutSeconds: 60 });
  return {
    ...server,
    port,
    api,
    project: project.path,
    dataDir: data.path,
    start: async (consegna = 'go', fields = {}) => {
      const body = { cartellaLibera: project.path, consegna, modello: 'ollama:bench', ...fields };
      return (await api('POST', '/sessions/custom', body)).sessionId;
    },
    async close() {
      await server.stop();
      await model?.stop();
      data.remove();
      project.remove();
    },
  };
}

/** The name of a scenario of the model server, or the file with one. */
export function scenarioArgument(scenario, folder) {
  if (typeof scenario === 'string') return scenario;
  const file = join(folder, '.scenario.json');
  writeFileSync(file, JSON.stringify(scenario));
  return file;
}

export function call(port, method, path, body) {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      cookie: `svc_token=${TOKEN}`,
      ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    const sent = request({ agent, port, host: '127.0.0.1', method, path: `/api/v1${path}`, headers }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () => {
        const answer = JSON.parse(Buffer.concat(chunks).toString());
        if (answer.ok) resolve(answer);
        else reject(new Error(`${method} ${path}: ${answer.error.code} ${JSON.stringify(answer.error.params ?? {})}`));
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

/** Receives an answer without looking into it. */
export function receive(port, path) {
  return new Promise((resolve, reject) => {
    const headers = { cookie: `svc_token=${TOKEN}` };
    const sent = request({ agent, port, host: '127.0.0.1', path: `/api/v1${path}`, headers }, (response) => {
      response.on('data', () => undefined);
      response.on('end', resolve);
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Reads a session's events; `onFrame(data, id)` returns true to end. Answers the bytes read. */
export function follow(port, sessionId, onFrame, after) {
  return new Promise((resolve, reject) => {
    const headers = { cookie: `svc_token=${TOKEN}`, ...(after !== undefined && { 'last-event-id': String(after) }) };
    const sent = request(
      { port, host: '127.0.0.1', path: `/api/v1/sessions/${sessionId}/events`, headers },
      (response) => {
        let buffer = '';
        let bytes = 0;
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          bytes += chunk.length;
          buffer = buffer ? buffer + chunk : chunk;
          let from = 0;
          for (;;) {
            const end = buffer.indexOf('\n\n', from);
            if (end < 0) break;
            const at = buffer.indexOf('data: ', from);
            if (at >= 0 && at < end && onFrame(buffer.slice(at + 6, end))) {
              resolve(bytes);
              response.destroy();
              return;
            }
            from = end + 2;
          }
          buffer = buffer.slice(from);
        });
        response.on('end', () => resolve(bytes));
      },
    );
    sent.on('error', (error) => (error.code === 'ECONNRESET' ? resolve(0) : reject(error)));
    sent.end();
  });
}

/** Proportional set size in MiB. */
export function pssMiB(pid) {
  const kib = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1];
  return Number(kib) / 1024;
}

export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))];
}
export const median = (values) => quantile(values, 0.5);
export const round = (value, digits = 1) => Math.round(value * 10 ** digits) / 10 ** digits;

/** The most a process ever had in memory, in MiB. */
export function peakMiB(pid) {
  const kib = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) / 1024;
}
