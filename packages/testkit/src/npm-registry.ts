import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { tempDir } from './folders.ts';

/** A registry for npm on this computer, with one package. */
export interface NpmRegistry extends AsyncDisposable {
  /** What `npm_config_registry` is set to. */
  url: string;
  /** A package-lock.json with the package as the only dependency. */
  lock: { lockfileVersion: number; packages: Record<string, object> };
  /** What it answers, which a test may change. */
  served: { status: number; contents: Buffer; isSilent: boolean };
  contents: Buffer;
}

interface NpmPackage {
  name: string;
  version: string;
  main?: string;
  bin?: Readonly<Record<string, string>>;
  /** Text of its files, by path. */
  files: Readonly<Record<string, string>>;
  scripts?: Readonly<Record<string, string>>;
}

export async function createNpmRegistry({ files, ...facts }: NpmPackage): Promise<NpmRegistry> {
  const { name, version } = facts;
  const place = await tempDir();
  await place.write({ 'package/package.json': JSON.stringify(facts) });
  for (const [path, text] of Object.entries(files)) await place.write({ [`package/${path}`]: text });
  execFileSync('tar', ['czf', 'package.tgz', 'package'], { cwd: place.path });
  const contents = readFileSync(join(place.path, 'package.tgz'));
  const integrity = `sha512-${createHash('sha512').update(contents).digest('base64')}`;
  const served = { status: 200, contents, isSilent: false };
  const server = createServer((request, response) => {
    if (served.isSilent) return;
    if (request.url?.endsWith('.tgz')) return void response.writeHead(served.status).end(served.contents);
    const dist = { tarball: `http://${request.headers.host}/${name}.tgz`, integrity };
    response.writeHead(served.status, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: { ...facts, dist } } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    lock: {
      lockfileVersion: 3,
      packages: { '': { dependencies: { [name]: version } }, [`node_modules/${name}`]: { version, integrity } },
    },
    served,
    contents,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await place[Symbol.asyncDispose]();
    },
  };
}
