import type { ProviderRow } from '@fucina/host';
import { probeWords } from '@fucina/shared/sentences';
import type { CommonFlags } from '../command-facts.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { keyStoreOf, withHost } from '../open-host.ts';
import { readSecret } from '../read-secret.ts';
import { columns } from '../table.ts';
import type { Terminal } from '../terminal.ts';

export type ProviderState = 'ready' | 'no-key-needed' | 'key-missing' | 'address-missing';

export async function listProviders(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, out, style } = terminal;
  const rows = await withHost(io, flags, ({ services }) => services.providers.registry.list());
  const providers = rows.map(({ pool: _pool, builtInExclusions: _excluded, ...row }) => ({
    ...row,
    state: stateOf(row),
  }));
  if (flags.json) {
    out(JSON.stringify({ providers }));
    return EXIT.done;
  }
  const cells = providers.map(({ id, label, state, endpoint }) => [
    { text: id, paint: style.bold },
    { text: label },
    { text: say(`providers.${state}`), paint: state === 'ready' ? style.success : style.muted },
    { text: endpoint ?? '', paint: style.muted },
  ]);
  for (const line of columns(cells)) out(line);
  return EXIT.done;
}

export function stateOf(row: Omit<ProviderRow, 'pool'>): ProviderState {
  const { keyConfigured, requiresKey, endpointConfigured, endpoint, supportsEndpoint } = row;
  // The local engine has no address.
  if (!endpoint && supportsEndpoint) return 'address-missing';
  if (requiresKey && !keyConfigured) return 'key-missing';
  return keyConfigured || endpointConfigured ? 'ready' : 'no-key-needed';
}

/** The key is never an argument, because every program of the computer can read arguments. */
export async function setKey(flags: CommonFlags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, out, err } = terminal;
  if (keyStoreOf(io, flags) === 'memory') {
    err(`fucina: ${say('provider.key-memory')}`);
    return EXIT.configuration;
  }
  return withHost(io, flags, async ({ services }) => {
    // An unknown provider is reported before a key is typed.
    const { label } = await services.providers.registry.row(id);
    const key = await readSecret(io, say('provider.key-prompt', { label }));
    if (!key) {
      err(`fucina: ${say('provider.key-empty')}`);
      return EXIT.usage;
    }
    const row = await services.providerKeys.set(id, key);
    const { fingerprint = '' } = row.pool[0] ?? {};
    if (flags.json) out(JSON.stringify({ provider: id, fingerprint }));
    else out(say('provider.key-saved', { label, fingerprint }));
    return EXIT.done;
  });
}

export async function removeKey(flags: CommonFlags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, out } = terminal;
  const { label } = await withHost(io, flags, ({ services }) => services.providerKeys.removeAll(id));
  if (flags.json) out(JSON.stringify({ provider: id }));
  else out(say('provider.key-removed', { label }));
  return EXIT.done;
}

export async function setAddress(
  flags: CommonFlags,
  [id = '', url = '']: string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const { io, say, out } = terminal;
  const { label, endpoint } = await withHost(io, flags, async ({ services: { providers } }) => {
    await providers.connections.change(id, { endpoint: url });
    // Not `row`: it fails without a key store, which an address does not need.
    const row = (await providers.registry.list()).find((candidate) => candidate.id === id);
    return { label: row?.label ?? id, endpoint: row?.endpoint };
  });
  if (flags.json) out(JSON.stringify({ provider: id, endpoint }));
  else out(say('provider.address-saved', { label, endpoint: endpoint ?? '' }));
  return EXIT.done;
}

/** The headers of a provider by name; their values are never shown. */
export async function listHeaders(flags: CommonFlags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, out, style } = terminal;
  const { headers } = await withHost(io, flags, ({ services }) => services.providers.connections.get(id));
  if (flags.json) {
    out(JSON.stringify({ provider: id, headers }));
    return EXIT.done;
  }
  if (headers.length === 0) out(say('provider.headers-none'));
  for (const { name, isSent } of headers) {
    out(isSent ? name : `${name}  ${style.danger(say('provider.header-elsewhere'))}`);
  }
  return EXIT.done;
}

/** The value is never an argument, as a key. */
export async function setHeader(
  flags: CommonFlags,
  [id = '', name = '']: string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const { io, say, out, err } = terminal;
  if (keyStoreOf(io, flags) === 'memory') {
    err(`fucina: ${say('provider.key-memory')}`);
    return EXIT.configuration;
  }
  return withHost(io, flags, async ({ services: { providers } }) => {
    const { headers } = await providers.connections.get(id);
    const value = await readSecret(io, say('provider.header-prompt', { name }));
    if (!value) {
      err(`fucina: ${say('provider.header-empty')}`);
      return EXIT.usage;
    }
    const others = headers.filter((header) => header.name !== name.toLowerCase());
    await providers.connections.change(id, {
      headers: [...others.map((other) => ({ name: other.name })), { name, value }],
    });
    if (flags.json) out(JSON.stringify({ provider: id, header: name.toLowerCase() }));
    else out(say('provider.header-saved', { name }));
    return EXIT.done;
  });
}

export async function removeHeader(
  flags: CommonFlags,
  [id = '', name = '']: string[],
  terminal: Terminal,
): Promise<ExitCode> {
  const { io, say, out, err } = terminal;
  return withHost(io, flags, async ({ services: { providers } }) => {
    const { headers } = await providers.connections.get(id);
    const left = headers.filter((header) => header.name !== name.toLowerCase());
    if (left.length === headers.length) {
      err(`fucina: ${say('provider.header-unknown', { name })}`);
      return EXIT.configuration;
    }
    await providers.connections.change(id, { headers: left.map((header) => ({ name: header.name })) });
    if (flags.json) out(JSON.stringify({ provider: id, header: name.toLowerCase() }));
    else out(say('provider.header-removed', { name }));
    return EXIT.done;
  });
}

export async function testProvider(flags: CommonFlags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, language, say, out, style } = terminal;
  const result = await withHost(io, flags, ({ services }) => services.providers.test(id));
  const isGood = result.outcome === 'reached';
  if (flags.json) {
    out(JSON.stringify({ provider: id, ...result }));
    return isGood ? EXIT.done : EXIT.failed;
  }
  const facts = [
    ...(result.models === null ? [] : [say('provider.models', { count: result.models })]),
    ...(result.latencyMs === null ? [] : [`${Math.round(result.latencyMs)} ms`]),
  ];
  const mark = isGood ? style.success('✓') : style.danger('✗');
  out([`${mark} ${probeWords(result.detail, language, result.party)}`, ...facts].join(' · '));
  return isGood ? EXIT.done : EXIT.failed;
}
