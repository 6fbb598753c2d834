import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const SUITE = join(import.meta.dirname, '../../../../packages/extensions/test/conformance/suite.mjs');

const SOURCES = ['--import', 'tsx', '--conditions=@fucina/source'];

/** The suite sends no cookie: the server has no token. */
async function referenceServer() {
  const child = spawn(process.execPath, [...SOURCES, join(import.meta.dirname, 'reference-server.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: String(url),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

test.each(['2025-11-25', '2026-07-28'])(
  'the MCP endpoint passes the official conformance suite of the revision %s',
  async (version) => {
    await using server = await referenceServer();
    const address = `--url=${server.url}api/v1/ext/mcp-server`;
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [SUITE, 'server', address, `--spec-version=${version}`],
      { maxBuffer: 64 * 1024 * 1024 },
    ).catch((error: { stdout: string; stderr: string }) => error);
    const report = `${stdout}${stderr}`;
    expect(report.match(/^✗.*$/gm) ?? []).toEqual([]);
    expect(report).toMatch(/^Total: \d{2,} passed, 0 failed/m);
  },
);
