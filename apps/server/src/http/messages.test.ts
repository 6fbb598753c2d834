import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import express from 'express';
import { messageClasses } from './messages.ts';

test('requests and responses have the prototypes of their application from the start', async () => {
  const app = express();
  app.get('/name', (request, response) => {
    response.json({ name: request.query.name, isOwn: request.app === app });
  });
  const server = createServer(messageClasses(app));
  const seen: unknown[][] = [];
  server.on('request', (...given) => seen.push(prototypesOf(...given)));
  server.on('request', app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/name?name=Ada`);
    expect(await answer.json()).toMatchObject({ name: 'Ada', isOwn: true });
    expect(seen[0]?.[0] === app.request).toBe(true);
    expect(seen[0]?.[1] === app.response).toBe(true);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

const prototypesOf = (...objects: object[]): unknown[] => objects.map((object) => Object.getPrototypeOf(object));
