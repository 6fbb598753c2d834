import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeFileAtomically } from '@fucina/shared';
import { cleanText } from '../../clean-text.ts';
import type { CommonFlags } from '../../command-facts.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { dataDirOf, placeOptions } from '../../open-host.ts';
import { ownCommand, temporaryPlace } from '../../own-command.ts';
import type { Terminal } from '../../terminal.ts';
import { launchd } from './launchd.ts';
import type { Argv, ServiceManager } from './service-manager.ts';
import { systemd } from './systemd.ts';

/** Writes the service's file and starts it, now and at each login. Refused where the program will be deleted. */
export async function install(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const place = temporaryPlace();
  if (place !== undefined) {
    terminal.err(`fucina: ${terminal.say('service.temporary', { path: cleanText(place) })}`);
    return EXIT.configuration;
  }
  return withManager(flags, terminal, async (manager) => {
    const { say, out } = terminal;
    await mkdir(dirname(manager.file), { recursive: true });
    await writeFileAtomically(manager.file, manager.text, { mode: 0o644 });
    const exit = await runAll(manager.commands.install, terminal);
    out(say(exit === EXIT.done ? 'service.installed' : 'service.written', { path: cleanText(manager.file) }));
    if (exit === EXIT.done) out(say('service.logout'));
    return exit;
  });
}

/** Stops the service and removes its file. The data stays. */
export async function uninstall(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  return withManager(flags, terminal, async (manager) => {
    const { say, out } = terminal;
    if (!existsSync(manager.file)) return notInstalled(terminal);
    const exit = await runAll(manager.commands.uninstall, terminal);
    await rm(manager.file, { force: true });
    out(say('service.removed'));
    return exit;
  });
}

export async function control(verb: 'start' | 'stop', flags: CommonFlags, terminal: Terminal): Promise<ExitCode> {
  return withManager(flags, terminal, async (manager) =>
    existsSync(manager.file) ? runAll(manager.commands[verb], terminal) : notInstalled(terminal),
  );
}

/** Exit 1 unless a server answers. */
export async function status(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  return withManager(flags, terminal, async (manager) => {
    const { io, say, out } = terminal;
    const { answeringServer } = await import('@fucina/host');
    const isInstalled = existsSync(manager.file);
    const state = isInstalled ? await firstLine(manager.state, terminal) : undefined;
    const url = (await answeringServer(await dataDirOf(io, flags)))?.url;
    if (flags.json) out(JSON.stringify({ isInstalled, state: state ?? null, url: url ?? null }));
    else {
      out(isInstalled ? say('service.state', { state: cleanText(state || '?') }) : say('service.none'));
      out(url === undefined ? say('service.silent') : say('service.answers', { url }));
    }
    return url === undefined ? EXIT.failed : EXIT.done;
  });
}

export async function log(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  return withManager(flags, terminal, async (manager) =>
    existsSync(manager.file) ? runAll([manager.log(flags['follow'] === true)], terminal) : notInstalled(terminal),
  );
}

async function withManager(
  flags: CommonFlags,
  terminal: Terminal,
  act: (manager: ServiceManager) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { io, say, err } = terminal;
  const make = { linux: systemd, darwin: launchd }[process.platform as string];
  if (!make) {
    err(`fucina: ${say('service.no-manager')}`);
    return EXIT.configuration;
  }
  const command = ownCommand(['serve', '--hide-token', ...(await placeOptions(io, flags))]);
  const uid = process.getuid?.() ?? 0;
  return act(make({ env: io.env, home: io.home, uid, command }));
}

function notInstalled({ say, err }: Terminal): ExitCode {
  err(`fucina: ${say('service.none')}`);
  return EXIT.failed;
}

async function runAll(commands: readonly Argv[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, err } = terminal;
  for (const [program, ...args] of commands) {
    const child = spawn(program, args, { env: io.env, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (text: Buffer) => void io.stdout.write(text));
    child.stderr.on('data', (text: Buffer) => void io.stderr.write(text));
    const forget = io.onInterrupt(() => void child.kill());
    const code = await new Promise<number | null>((resolve) => {
      child.once('close', resolve);
      child.once('error', () => resolve(null));
    });
    forget();
    if (code === 0) continue;
    err(`fucina: ${say('service.failed', { command: [program, ...args].join(' ') })}`);
    return EXIT.failed;
  }
  return EXIT.done;
}

async function firstLine([program, ...args]: Argv, { io }: Terminal): Promise<string> {
  const child = spawn(program, args, { env: io.env, stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  return text.trim().split('\n')[0] ?? '';
}
