import { createOutboundHttp, systemAmbient } from '@fucina/shared';
import { redirectOrigins } from '@fucina/testkit';
import { startServer } from '../src/server.ts';
import { settingsFor } from './harness.ts';

/** A server as a separate process with another model hub: arguments are its data folder and the origins. */
const [dataDir = '', origins = '{}'] = process.argv.slice(2);
const ambient = systemAmbient('silent');
const http = redirectOrigins(createOutboundHttp({ ambient }), JSON.parse(origins) as Record<string, string>);
const { url } = await startServer({ ambient, settings: settingsFor(dataDir), http });
process.stdout.write(`${url}\n`);
