import { Readable, Writable } from 'node:stream';
import { ndJsonStream } from '@agentclientprotocol/sdk';
import type { CommonFlags } from '../command-facts.ts';
import { ruleWarnings } from '../commands/permissions.ts';
import { configWarnings, readConfig } from '../config/config.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { openHost } from '../open-host.ts';
import type { Terminal } from '../terminal.ts';
import { createEditorAgent } from './agent.ts';

/** `fucina acp`: until the editor closes standard input, or the program is interrupted. */
export async function serveAcp(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, err } = terminal;
  const config = readConfig(io, io.cwd);
  for (const warning of [...configWarnings(config, say), ...(await ruleWarnings(config, terminal))])
    err(`fucina: ${warning}`);
  const host = await openHost(io, flags);
  const ambient = await io.ambient('silent');
  const model = typeof flags.model === 'string' ? flags.model : (config.model ?? (io.env.FUCINA_MODEL || undefined));
  const app = createEditorAgent({
    host,
    terminal,
    ambient,
    model,
    mode: { permissions: 'On request', mode: config.permissionMode === 'plan' ? 'plan' : 'normal' },
  });
  const stream = ndJsonStream(
    Writable.toWeb(io.stdout) as WritableStream<Uint8Array>,
    Readable.toWeb(io.stdin) as ReadableStream<Uint8Array>,
  );
  const connection = app.connect(stream);
  const forget = io.onInterrupt(() => connection.close());
  await connection.closed;
  forget();
  await host.quiesce();
  await host.close();
  return EXIT.done;
}
