import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { processesWith, type Reply, SCENARIOS, type Scenario, scriptOf } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { MAIN, type Running, start } from './binary.ts';
import { type TestComputer, testComputer } from './harness.ts';

const hang: Reply = { text: 'half', fault: { kind: 'hang-mid-stream', after: 1 } };
const shell = (comando: string): Reply => ({ toolCalls: [{ name: 'shell', arguments: { comando } }] });
const go = (computer: TestComputer, ...args: string[]) =>
  start(['-p', 'go', '--model', 'ollama:tiny', '--output-format', 'stream-json', ...args], {
    env: computer.env,
    cwd: computer.project.path,
  });
const sessionOf = (stdout: string): string => /"threadId":"([^"]+)"/.exec(stdout)?.[1] ?? '';

describe('the built program', () => {
  test('runs a whole turn and exits', async () => {
    await using computer = await testComputer(scriptOf(SCENARIOS['tool-turn'] as Scenario));
    await using running = start(['-p', 'go', '--model', 'ollama:tiny'], {
      env: computer.env,
      cwd: computer.project.path,
    });
    expect((await running.ended).code).toBe(0);
    expect(running.seen.stdout).toBe('Done.\n');
  });

  test.each([
    ['Full access', false],
    ['Workspace write', true],
  ] as const)('a command at %s tests the sandbox: %s', async (level, isTested) => {
    await using computer = await testComputer(scriptOf(SCENARIOS['tool-turn'] as Scenario));
    await using running = start(['-p', 'go', '--model', 'ollama:tiny', '--permissions', level], {
      env: computer.env,
      cwd: computer.project.path,
    });
    expect((await running.ended).code).toBe(0);
    // Its test creates this folder.
    expect(existsSync(join(computer.dataDir, 'tmp'))).toBe(isTested);
  });

  test('writes, reads, validates and trusts settings', async () => {
    await using computer = await testComputer(() => ({ text: 'ok' }));
    const config = async (...args: string[]) => {
      await using running = start(['config', ...args], { env: computer.env, cwd: computer.project.path });
      const { code } = await running.ended;
      return { code, ...running.seen };
    };
    expect((await config('set', 'permissionMode', 'bypassPermissions', '--scope', 'project')).code).toBe(0);
    expect((await config('get', 'permissionMode')).stdout).toBe('default\n');
    expect((await config('validate')).stdout).toBe('No problems found.\n');
    expect((await config('trust')).stdout).toContain('permissionMode');
    expect((await config('get', 'permissionMode')).stdout).toBe('bypassPermissions\n');
    expect((await config('set', 'ui.theme', 'pink')).code).toBe(2);
  });

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s stops the turn and keeps its last event', async (signal) => {
    await using computer = await testComputer(() => hang);
    await using running = go(computer);
    await running.wrote('stdout', 'half');
    running.child.kill(signal);
    expect((await running.ended).code).toBe(130);
    expect(running.seen.stdout).toContain('"code":"fermato"');
    expect(running.seen.stdout.trim().split('\n').at(-1)).toContain('"type":"result"');
  });

  test('Ctrl+C at an idle prompt exits with the code of the last turn', async () => {
    await using computer = await testComputer(() => ({ text: 'ok' }));
    const args = ['-p', 'go', '--model', 'ollama:tiny', '--input-format', 'stream-json'];
    await using running = start(args, { env: computer.env, cwd: computer.project.path, stdin: 'pipe' });
    await running.wrote('stdout', '"type":"result"');
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(0);
  });

  test('a second Ctrl+C exits at once and leaves no child process', async () => {
    const marker = `second-interrupt-${process.pid}`;
    await using computer = await testComputer(() =>
      shell(`trap '' TERM; echo up; while true; do sleep 0.1; done # ${marker}`),
    );
    await using running = go(computer);
    await running.wrote('stdout', '"type":"ToolCallOutput"');
    running.child.kill('SIGINT');
    // Repeatedly: two signals that arrive before the first is handled count as one.
    const again = setInterval(() => running.child.kill('SIGINT'), 50);
    expect((await running.ended).code).toBe(130);
    clearInterval(again);
    // It did not wait for the command, which ignores the first one for two seconds.
    expect(running.seen.stdout).not.toContain('"type":"result"');
    while (processesWith(marker).length > 0) await new Promise((next) => setTimeout(next, 10));
  });

  test.each([
    [
      'a full disk',
      '"$@" > /dev/full',
      'fucina: The output could not be written: ENOSPC: no space left on device, write\n',
    ],
    [
      'a deleted current folder',
      'cd "$HOME" && mkdir gone && cd gone && rmdir ../gone && exec "$@"',
      'fucina: The current folder no longer exists. Change to another folder.\n',
    ],
  ])('%s is one sentence', async (_name, script, sentence) => {
    await using computer = await testComputer([]);
    const child = spawn('sh', ['-c', script, 'sh', process.execPath, MAIN, 'config', 'list'], { env: computer.env });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number];
    expect([code, stderr]).toEqual([1, sentence]);
  });

  test('a closed output pipe ends the turn', async () => {
    // An answer of an hour.
    await using computer = await testComputer(() => ({ text: { count: 7_200_000 }, deltasPerSecond: 2_000 }));
    await using running = go(computer);
    await running.wrote('stdout', 'word');
    running.child.stdout?.destroy();
    expect((await running.ended).code).toBe(130);
  });

  test('a turn whose process died resumes without a prompt', async () => {
    let count = 0;
    await using computer = await testComputer(() => (count++ === 0 ? hang : { text: 'whole' }));
    await using running = go(computer);
    await running.wrote('stdout', 'half');
    running.child.kill('SIGKILL');
    await running.ended;
    const sessionId = sessionOf(running.seen.stdout);
    expect((await computer.run(['sessions'])).stdout).toContain('interrupted');
    expect(await computer.run(['--resume', sessionId])).toMatchObject({ exit: 0, stdout: 'whole\n' });
  });

  test('a killed turn resumes with --continue', async () => {
    let count = 0;
    await using computer = await testComputer(() => (count++ === 0 ? hang : { text: 'whole' }));
    await using running = go(computer);
    await running.wrote('stdout', 'half');
    running.child.kill('SIGKILL');
    await running.ended;
    expect(await computer.run(['--continue'])).toMatchObject({ exit: 0, stdout: 'whole\n' });
  });

  test('parses command lines with the bundled grammar', async () => {
    await using computer = await testComputer([]);
    await computer.run(['config', 'set', 'permissions.deny', '["Bash(rm *)"]']);
    const { env, project } = computer;
    await using running = start(['permissions', 'dry-run', 'ls && rm x'], { env, cwd: project.path });
    expect((await running.ended).code).toBe(3);
    expect(running.seen.stdout).toContain('Bash(rm *)');
  });
});

/** Reads the address that `serve` prints. */
async function cookieOf(server: Running): Promise<string> {
  await server.wrote('stderr', '?token=');
  await server.wrote('stderr', '\n');
  return `svc_token=${/token=([0-9a-f]{64})/.exec(server.seen.stderr)?.[1]}`;
}

describe('with a running server', () => {
  test('shares its sessions with the server of the same data folder', async () => {
    await using computer = await testComputer(() => ({ text: 'ok' }));
    await using server = start(['serve', '--port', '0'], { env: computer.env, cwd: computer.project.path });
    await server.wrote('stdout', '\n');
    const ready = JSON.parse(server.seen.stdout);
    expect(ready).toEqual({
      event: 'ready',
      url: expect.stringMatching(/^http:\/\/127/),
      port: expect.any(Number),
      pid: server.child.pid,
      version: '0.1.25',
    });
    const cookie = await cookieOf(server);

    const { sessionId } = JSON.parse((await computer.go(['--json'])).stdout);
    expect((await fetch(`${ready.url}api/v1/sessions`)).status).toBe(401);
    const listed = await (await fetch(`${ready.url}api/v1/sessions`, { headers: { cookie } })).json();
    expect(JSON.stringify(listed)).toContain(sessionId);

    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
  });

  test('a session run by the server and its data folder are reported as busy', async () => {
    await using computer = await testComputer(() => hang);
    await using server = start(['serve', '--port', '0'], { env: computer.env, cwd: computer.project.path });
    await server.wrote('stdout', '\n');
    const { url } = JSON.parse(server.seen.stdout);
    const answer = await fetch(`${url}api/v1/sessions/custom`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: await cookieOf(server) },
      body: JSON.stringify({ cartellaLibera: computer.project.path, consegna: 'go', modello: 'ollama:tiny' }),
    });
    const { data } = (await answer.json()) as { data: { sessionId: string } };
    const resumed = await computer.run(['-p', 'x', '--resume', data.sessionId, '--json']);
    expect(resumed.exit).toBe(75);
    expect(JSON.parse(resumed.stdout)).toMatchObject({ outcome: 'error', error: { code: 'SESSION_STORE_BUSY' } });
    expect((await computer.run(['sessions', 'delete', data.sessionId])).exit).toBe(75);

    await using second = start(['serve', '--port', '0'], { env: computer.env, cwd: computer.project.path });
    expect((await second.ended).code).toBe(75);
    expect(second.seen.stderr).toContain('[SESSION_STORE_BUSY]');
  });

  test('an invalid server setting is a configuration error', async () => {
    await using computer = await testComputer([]);
    await using server = start(['serve', '--host', '0.0.0.0'], { env: computer.env, cwd: computer.project.path });
    expect((await server.ended).code).toBe(78);
    expect(server.seen.stderr).toContain('[CONFIG_INVALID]');
    expect(existsSync(computer.dataDir)).toBe(true);
  });

  test('opens the window with the token of the data folder, and --new-token replaces the token', async () => {
    await using computer = await testComputer([]);
    const open = async (...flags: string[]): Promise<string> => {
      await using server = start(['open', '--port', '0', ...flags], { env: computer.env, cwd: computer.project.path });
      await server.wrote('stdout', '?token=');
      await server.wrote('stdout', '\n\n');
      const address = /http:\S+/.exec(server.seen.stdout)?.[0] ?? '';
      const { origin, searchParams } = new URL(address);
      expect((await fetch(`${origin}/api/v1/health`)).status).toBe(401);
      server.child.kill('SIGINT');
      expect((await server.ended).code).toBe(0);
      return searchParams.get('token') ?? '';
    };
    const token = await open();
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(await open()).toBe(token);
    expect(await open('--new-token')).not.toBe(token);
  });

  test('opens the window of the server that is already running', async () => {
    await using computer = await testComputer([]);
    const options = { env: computer.env, cwd: computer.project.path };
    await using server = start(['serve', '--port', '0'], options);
    await server.wrote('stderr', '?token=');
    await server.wrote('stderr', '\n');
    const address = /http:\S+/.exec(server.seen.stderr)?.[0] ?? '';
    await using second = start(['open'], options);
    expect((await second.ended).code).toBe(0);
    expect(second.seen.stdout).toContain(address);
    const token = readFileSync(join(computer.dataDir, 'launcher-token'), 'utf8');
    await using third = start(['open', '--new-token'], options);
    expect((await third.ended).code).toBe(75);
    expect(readFileSync(join(computer.dataDir, 'launcher-token'), 'utf8')).toBe(token);
    server.child.kill('SIGINT');
    await server.ended;
    expect(existsSync(join(computer.dataDir, 'running-server.json'))).toBe(false);
  });
});
