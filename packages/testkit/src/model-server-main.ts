import { readFile } from 'node:fs/promises';
import { demoScript } from './demo-scenario.ts';
import { createModelServer, type Script } from './model-server.ts';
import { SCENARIOS, type Scenario, scriptOf } from './scenario.ts';

/** `node model-server-main.js demo|<scenario name or JSON file>`: prints `{"url":…}` and serves until SIGTERM or SIGINT. */
async function main(argument = 'hello'): Promise<void> {
  const server = await createModelServer({ script: argument === 'demo' ? demoScript : await scriptNamed(argument) });
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
  const stop = (): void => void server.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

async function scriptNamed(argument: string): Promise<Script> {
  return scriptOf(SCENARIOS[argument] ?? (JSON.parse(await readFile(argument, 'utf8')) as Scenario));
}

await main(process.argv[2]);
