import { realpath } from 'node:fs/promises';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { openHost } from '../../open-host.ts';
import type { Terminal } from '../../terminal.ts';
import type { Flags } from './listing.ts';

/** Fucina as an MCP server on standard streams, until the client closes them or the program is interrupted. */
export async function serveMcp(flags: Flags, _names: string[], { io }: Terminal): Promise<ExitCode> {
  const host = await openHost(io, flags);
  const [{ serveStdio, StdioServerTransport }, factory] = await Promise.all([
    import('@modelcontextprotocol/server/stdio'),
    host.services.mcpServer({ folder: await realpath(io.cwd) }),
  ]);
  const transport = new StdioServerTransport(io.stdin, io.stdout);
  const ambient = await io.ambient('error');
  const server = serveStdio(factory, {
    transport,
    onerror: (error) => ambient.log.warn('mcp-server.trouble', { error }),
  });
  await new Promise<void>((resolve) => {
    io.stdin.once('end', resolve).once('close', resolve);
    io.onInterrupt(() => resolve());
  });
  await server.close();
  await host.quiesce();
  await host.close();
  return EXIT.done;
}
