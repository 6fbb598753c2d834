import { runProcess, systemAmbient, type WriteReach } from '@fucina/shared';
import { createSessionNetworks } from '../../src/sandbox/network/session-network.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { ATTACKS } from './attacks.ts';
import { createFixture, SECRET } from './fixture.ts';

/** One line of JSON on standard output: what each attack got. Started by escapes.test.ts as root and as an ordinary user. */
export interface AttackResult {
  title: string;
  /** Undefined where it was held. */
  got?: string;
}

const [base, writes] = process.argv.slice(2) as [string, WriteReach];
process.umask(0o022);
const fixture = await createFixture(base);
const { home, data, project, variables } = fixture;
const environment = { ...process.env, HOME: home, XDG_RUNTIME_DIR: variables.RUN };
const ambient = systemAmbient('silent');
const programs = async () => ({ bubblewrap: '/usr/bin/bwrap', nsenter: '/usr/bin/nsenter' });
const networks = createSessionNetworks({ ambient, environment, programs, ownPorts: () => [Number(variables.PORT)] });
const sandbox = createSandbox({ ambient, environment, dataDir: data, networks });

async function attack(script: string): Promise<string | undefined> {
  fixture.reset();
  const argv = ['/bin/bash', '--noprofile', '--norc', '-c', script] as const;
  const job = { argv, sessionId: 'attack', folder: project, cwd: project, writes };
  const { settle, extraEnvironment, ...contained } = await sandbox.contain(job);
  const outcome = await runProcess({
    ...contained,
    ambient,
    environment,
    extraEnvironment: { ...extraEnvironment, ...variables },
    timeoutMs: 10_000,
  });
  await settle();
  const text = outcome.stdout.bytes.toString();
  if (text.includes(SECRET)) return 'the secret';
  if (text.includes('escaped')) return 'a refused call';
  const damage = fixture.damage();
  return damage.length > 0 ? `changed ${damage.join(', ')}` : undefined;
}

try {
  const results: AttackResult[] = [];
  for (const { title, script } of ATTACKS) {
    const got = await attack(script);
    results.push({ title, ...(got !== undefined && { got }) });
  }
  process.stdout.write(`${JSON.stringify({ state: await sandbox.state(), results })}\n`);
} finally {
  await sandbox[Symbol.asyncDispose]();
  fixture.close();
}
process.exit();
