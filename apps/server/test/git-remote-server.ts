import { spawn } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gitIn } from '@fucina/testkit';

/** Repositories of a folder, served over HTTP by git's own program, as a code host would. */
export interface GitRemoteServer extends AsyncDisposable {
  url: string;
  /** Called before anything is served; by default nothing. */
  behaviour: { password?: string; isHanging?: boolean };
  /** Resolves at the next request. */
  asked(): Promise<void>;
}

export async function gitRemoteServer(folder: string): Promise<GitRemoteServer> {
  const execPath = await gitIn(folder)('--exec-path');
  const behaviour: GitRemoteServer['behaviour'] = {};
  let onAsked: () => void = () => undefined;
  const server = createServer((request, response) => {
    onAsked();
    if (behaviour.isHanging) return;
    const expected = behaviour.password && `Basic ${Buffer.from(`me:${behaviour.password}`).toString('base64')}`;
    if (expected && request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    serve(request, response, { program: `${execPath}/git-http-backend`, folder });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    behaviour,
    asked: () => new Promise((resolve) => (onAsked = resolve)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { program, folder }: { program: string; folder: string },
): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const child = spawn(program, [], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: folder,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      PATH_INFO: pathname,
      QUERY_STRING: searchParams.toString(),
      REQUEST_METHOD: request.method,
      REMOTE_USER: 'me',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  request.pipe(child.stdin);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.on('close', () => {
    const bytes = Buffer.concat(chunks);
    const end = bytes.indexOf('\r\n\r\n');
    const headers = bytes.subarray(0, end).toString('latin1').split('\r\n');
    const status = headers.find((line) => line.startsWith('Status: '))?.slice('Status: '.length, 11);
    for (const line of headers) {
      const [name = '', value = ''] = line.split(': ');
      if (name !== 'Status' && value !== '') response.setHeader(name, value);
    }
    response.writeHead(Number(status ?? 200)).end(bytes.subarray(end + 4));
  });
}
