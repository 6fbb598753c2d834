import { readFile } from 'node:fs/promises';
import { createModelServer } from './model-server.ts';
import { SCENARIOS, type Scenario, scriptOf } from './scenario.ts';

/** `node model-server-main.js <scenario name or JSON file>`: prints `{"url":…}` and serves until SIGTERM or SIGINT. */
async function main(argument = 'hello'): Promise<void> {
  const scenario = SCENARIOS[argument] ?? (JSON.parse(await readFile(argument, 'utf8')) as Scenario);
  const server = await createModelServer({ script: scriptOf(scenario) });
  process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
  const stop = (): void => void server.close().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

await main(process.argv[2]);
