import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type TestServer, TOKEN, testServer } from '../harness.ts';
import { cookie, get, raw } from '../raw-request.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(async () => server[Symbol.asyncDispose]());

describe('request limits', () => {
  test('answers an address of 4,096 bytes and refuses one more with 413', async () => {
    const base = '/api/v1/health?x=';
    const at = (length: number): string => base + 'a'.repeat(length - base.length);
    const status = async (length: number) =>
      (await raw(server, get(at(length), [`Host: 127.0.0.1:${server.port}`, cookie]))).slice(9, 12);
    expect(await status(4_096)).toBe('400');
    expect(await status(4_097)).toBe('413');
  });

  test('reads a body at the limit and refuses one more byte with 413', async () => {
    const send = (bytes: number) => {
      const frame = JSON.stringify({ nome: '' });
      return server.call('POST', '/sessions/x/rename', {
        body: frame.replace('""', `"${'a'.repeat(bytes - frame.length)}"`),
      });
    };
    expect((await send(10_485_760)).code).toBe('QUERY_INVALID');
    expect(await send(10_485_761)).toMatchObject({ status: 413, code: 'PAYLOAD_LIMIT' });
    const key = { key: 'k'.repeat(16 * 1024) };
    expect((await server.call('POST', '/providers/openai/key', { body: key })).code).toBe('PAYLOAD_LIMIT');
  });

  test('answers a body of any size above the limit with 413 and closes the connection', async () => {
    const limit = 16 * 1024;
    for (const bytes of [limit * 2, limit * 5, limit * 600]) {
      const head = [
        'POST /api/v1/providers/openai/key HTTP/1.1',
        `Host: 127.0.0.1:${server.port}`,
        cookie,
        'Content-Type: application/json',
        `Content-Length: ${bytes}`,
      ];
      const answer = await raw(server, `${head.join('\r\n')}\r\n\r\n${' '.repeat(bytes)}`);
      expect([bytes, answer.slice(9, 12), /^connection: close\r$/im.test(answer)]).toEqual([bytes, '413', true]);
      expect(answer).toContain('"code":"PAYLOAD_LIMIT"');
    }
  });

  test('answers 413 while the sender is still sending', async () => {
    const socket = connect(server.port, '127.0.0.1');
    const answered = new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())));
    const chunk = 'x'.repeat(64 * 1024);
    socket.write(
      `POST /api/v1/providers/openai/key HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${cookie}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => undefined); // the server closes the connection while this side is still writing
    const send = (): void => {
      if (!socket.destroyed) socket.write(`10000\r\n${chunk}\r\n`, () => setImmediate(send));
    };
    send();
    expect((await answered).slice(9, 12)).toBe('413');
    await closed;
  });

  test('rejects lone surrogates in values and keys', async () => {
    const half = (body: string) => server.call('POST', '/providers/aggregator/esclusi/dalla-risposta', { body });
    expect(await half('{"modello":"a/\\ud800","fornitore":"x"}')).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
    expect(await half('{"\\udfff":1}')).toMatchObject({ status: 400, code: 'QUERY_INVALID' });
  });

  test('rejects a blank prompt, message, correction, queue entry and command', async () => {
    const blank = ' \n\t\u00a0';
    const attempts: [string, Record<string, string>][] = [
      ['/sessions/custom', { consegna: blank, cartellaLibera: server.project.path, modello: 'ollama:tiny' }],
      ['/sessions/x/resume', { messaggio: blank }],
      ['/sessions/x/redirect', { messaggio: blank }],
      ['/sessions/x/queue', { messaggio: blank }],
      ['/sessions/x/shell', { comando: blank }],
    ];
    for (const [path, body] of attempts) {
      const { status, code } = await server.call('POST', path, { body });
      expect([path, status, code]).toEqual([path, 400, 'QUERY_INVALID']);
    }
    expect((await server.call('GET', '/sessions')).data.items).toEqual([]);
  });

  test('accepts only JSON bodies, and none on operations without a body', async () => {
    const send = (headers: Record<string, string>, body = '{"nome":"x"}') =>
      server.call('POST', '/sessions/x/rename', { body, headers });
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'application/json; charset=latin1',
      'application/jsonx',
    ]) {
      expect([type, (await send({ 'content-type': type })).code]).toEqual([type, 'QUERY_INVALID']);
    }
    expect((await send({ 'content-type': 'application/json; charset=utf-8' })).code).toBe('NOT_FOUND');
    expect((await send({ 'content-encoding': 'gzip' })).code).toBe('QUERY_INVALID');
    expect((await server.call('POST', '/sessions/x/cancel', { body: {} })).code).toBe('NOT_FOUND');
    expect((await server.call('POST', '/sessions/x/cancel', { body: { a: 1 } })).code).toBe('QUERY_INVALID');
  });

  test('deep nesting, too many keys, prototype keys, broken JSON and broken UTF-8 are QUERY_INVALID', async () => {
    const bodies = [
      '['.repeat(100_000) + ']'.repeat(100_000),
      '{"a":'.repeat(65) + '1' + '}'.repeat(65),
      JSON.stringify(Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`k${index}`, 1]))),
      '{"nome":"x","__proto__":{"polluted":true}}',
      '{"nome":"x","constructor":{"prototype":{"polluted":true}}}',
      '{"nome":',
      'null',
      '[]',
      '"text"',
    ];
    for (const body of bodies)
      expect((await server.call('POST', '/sessions/x/rename', { body })).code).toBe('QUERY_INVALID');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    const bytes = Buffer.from([...Buffer.from('{"nome":"'), 0xff, 0xfe, ...Buffer.from('"}')]);
    const response = await fetch(`${server.url}api/v1/sessions/x/rename`, {
      method: 'POST',
      headers: { cookie: `svc_token=${TOKEN}`, 'content-type': 'application/json' },
      body: bytes,
    });
    expect(response.status).toBe(400);
  });
});
