import { execFileSync } from 'node:child_process';
import { launchProcess, type ProcessOutcome, systemAmbient, type WriteReach } from '@fucina/shared';
import { createSessionNetworks } from '../../src/network/session-network.ts';
import { createPermissionRules } from '../../src/permission-rules/permission-rules.ts';
import { createSandbox } from '../../src/sandbox.ts';
import { createWaitingShells, type ShellProgram } from '../../src/waiting-shells.ts';
import { ATTACKS, type Attack } from './attacks.ts';
import { createFixture, SECRET } from './fixture.ts';

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
const networks = createSessionNetworks({ ambient, environment, programs, ownPorts: () => [Number(variables.PORT)] });
const rules = createPermissionRules({ allow: [], ask: [], deny: ['Read(denied.env)'] });
const deniesReading = async (folder: string) => rules.deniesReading(folder);
const sandbox = createSandbox({ ambient, environment, dataDir: data, networks, deniesReading });

const waiting = createWaitingShells({ ambient, environment });
const SESSION = 'attack';
const TIME_MS = 10_000;
/** Until one is being created. */
const PREPARED_MS = 40;

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

async function attack({ script, before, isInWorktree }: Attack): Promise<Omit<AttackResult, 'title'>> {
  await fixture.reset();
  const folder = isInWorktree ? worktree : project;
  if (before !== undefined) {
    execFileSync('/bin/bash', ['-c', before], { cwd: folder, env: { ...environment, ...variables } });
    fixture.accept();
  }
  const { outcome, hasWaited } = await runAttack(script, folder);
  const got = whatOf(outcome.stdout.bytes.toString());
  return { hasWaited, ...(got !== undefined && { got }) };
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
