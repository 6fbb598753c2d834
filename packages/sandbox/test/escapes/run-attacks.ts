import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { launchProcess, type ProcessOutcome, systemAmbient, type WriteReach } from '@fucina/shared';
import { createSessionNetworks } from '../../src/network/session-network.ts';
import { createPermissionRules } from '../../src/permission-rules/permission-rules.ts';
import { createSandbox } from '../../src/sandbox.ts';
import { createWaitingShells, type ShellProgram } from '../../src/waiting-shells.ts';
import type { Attack } from './attack.ts';
import { ATTACKS } from './attacks.ts';
import { createFixture, ORIGINAL, SECRET } from './fixture.ts';

/** Prints one line of JSON: the result of each attack. Started by escapes.test.ts as root and as an ordinary user. */
export interface AttackResult {
  title: string;
  /** Undefined if it was blocked. */
  got?: string;
  /** It ran in a sandbox that was waiting for it. */
  hasWaited: boolean;
}

const [base, writes, start] = process.argv.slice(2) as [string, WriteReach, 'new' | 'waiting'];
process.umask(0o022);
const fixture = await createFixture(base);
const { home, data, project, worktree, variables } = fixture;
const environment = { ...process.env, HOME: home, XDG_RUNTIME_DIR: variables.RUN };
const ambient = systemAmbient('silent');
const programs = async () => ({ bubblewrap: '/usr/bin/bwrap', nsenter: '/usr/bin/nsenter' });
const networks = createSessionNetworks({
  ambient,
  environment,
  programs,
  ownPorts: () => [Number(variables.PORT)],
  isReservedPort: async (port) => port === Number(variables.MODEL),
});
const rules = createPermissionRules({ allow: [], ask: [], deny: ['Read(denied.env)'] });
const deniesReading = async (folder: string) => rules.deniesReading(folder);
const sandbox = createSandbox({ ambient, environment, dataDir: data, networks, deniesReading });

const waiting = createWaitingShells({ ambient, environment });
const SESSION = 'attack';
const TIME_MS = 10_000;
/** Until one is being created. */
const PREPARED_MS = 40;
/** Until a script in the background has begun. */
const STARTED_MS = 150;
const LOOK_MS = 100;
/** Several looks of the watch. */
const WATCH_MS = 5_000;

async function programOf(script: string, folder: string): Promise<ShellProgram> {
  const argv = ['/bin/bash', '--noprofile', '--norc', '-c', script] as const;
  const contained = await sandbox.contain({ argv, sessionId: SESSION, folder, cwd: folder, writes });
  return { contained, extraEnvironment: { ...contained.extraEnvironment, ...variables } };
}

async function runAttack(script: string, folder: string): Promise<{ outcome: ProcessOutcome; hasWaited: boolean }> {
  if (start === 'waiting') {
    waiting.prepare(SESSION, () => programOf('', folder));
    await ambient.sleep(PREPARED_MS);
  }
  const { contained, extraEnvironment } = await programOf(script, folder);
  const signal = AbortSignal.timeout(TIME_MS);
  const waited = await waiting.start(SESSION, { contained, extraEnvironment }, { signal });
  const { settle } = contained;
  const running = waited ?? (await launchProcess({ ...contained, ambient, environment, extraEnvironment, signal }));
  const outcome = await running.done;
  await settle();
  return { outcome, hasWaited: waited !== undefined };
}

async function attack(wanted: Attack): Promise<Omit<AttackResult, 'title'>> {
  await fixture.reset();
  const folder = wanted.isInWorktree ? worktree : project;
  if (wanted.before !== undefined) {
    execFileSync('/bin/bash', ['-c', wanted.before], { cwd: folder, env: { ...environment, ...variables } });
    fixture.accept();
  }
  const beside = wanted.beside === undefined ? undefined : await startBeside(wanted.beside, folder);
  if (wanted.allowed !== undefined) await allow(wanted.allowed);
  const served = wanted.serves === undefined ? undefined : servedBy(Number(variables[wanted.serves]));
  const { outcome, hasWaited } = await runAttack(wanted.script, folder);
  const answers = (await served?.end()) ?? '';
  const during = beside && (await damageDuring());
  await beside?.end();
  const got = during ?? whatOf(outcome.stdout.bytes.toString() + answers);
  return { hasWaited, ...(got !== undefined && { got }) };
}

/** In the background, as the runner of commands leaves it there. */
async function startBeside(script: string, folder: string): Promise<{ end(): Promise<void> }> {
  const { contained, extraEnvironment } = await programOf(script, folder);
  const running = await launchProcess({ ...contained, ambient, environment, extraEnvironment });
  contained.begin(() => undefined).lookSoon();
  await ambient.sleep(STARTED_MS);
  return {
    async end() {
      await running.stop();
      await running.done;
      await contained.settle();
    },
  };
}

async function allow(path: string): Promise<void> {
  await sandbox.allow(
    project,
    async () => {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), ORIGINAL);
    },
    () => [{ path, content: ORIGINAL }],
  );
}

/** What stays damaged for longer than the watch of running commands takes. */
async function damageDuring(): Promise<string | undefined> {
  for (let waited = 0; ; waited += LOOK_MS) {
    const damage = fixture.damage();
    if (damage.length === 0) return undefined;
    if (waited >= WATCH_MS || writes === 'anything') return `changed ${damage.join(', ')}`;
    await ambient.sleep(LOOK_MS);
  }
}

/** What this computer's programs get from that port while the attack runs. */
function servedBy(port: number): { end(): Promise<string> } {
  let isOver = false;
  const ask = async (): Promise<string> => {
    let answers = '';
    while (!isOver) {
      // Not what answers there in any case.
      answers += (await text(connect({ port, host: 'localhost' })).catch(() => '')).replaceAll(SECRET, '');
      await ambient.sleep(LOOK_MS);
    }
    return answers;
  };
  const answers = ask();
  return {
    end() {
      isOver = true;
      return answers;
    },
  };
}

function whatOf(text: string): string | undefined {
  if (text.includes(SECRET)) return 'the secret';
  if (text.includes('escaped')) return 'a refused call';
  const damage = fixture.damage();
  return damage.length > 0 ? `changed ${damage.join(', ')}` : undefined;
}

try {
  const results: AttackResult[] = [];
  for (const one of ATTACKS) results.push({ title: one.title, ...(await attack(one)) });
  process.stdout.write(`${JSON.stringify({ state: await sandbox.state(), results })}\n`);
} finally {
  await waiting.end();
  await sandbox[Symbol.asyncDispose]();
  fixture.close();
}
process.exit();
