// The built server in a separate process, for `testServer`: the first message contains its options, the second one
// stops it.
import { createOutboundHttp, systemAmbient } from '@fucina/shared';
import { startServer } from '../dist/server.js';
import { homeboundLookup } from './homebound-lookup.mjs';

const ambient = systemAmbient('silent');

process.once('message', async (options) => {
  const http = createOutboundHttp({ ambient, lookup: homeboundLookup });
  const onUndeclared = (operation, code) => process.send?.({ undeclared: `${operation}: ${code}` });
  const server = await startServer({ ...options, ambient, http, onUndeclared });
  void server.shutdownAsked.then(() => process.send?.({ isShutdownAsked: true }));
  process.once('message', async () => {
    await server.close();
    await http[Symbol.asyncDispose]();
    process.disconnect();
  });
  const { url, port, isNamed } = server;
  process.send?.({ url, port, isNamed });
});

// Also when the test process has ended without a message.
process.once('disconnect', () => process.exit());
