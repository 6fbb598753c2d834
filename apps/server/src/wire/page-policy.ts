import { isIPv6 } from 'node:net';
import type { LocalPage } from '@fucina/host';

/** Wherever the page is shown. */
const ALWAYS = "sandbox allow-scripts allow-forms; frame-ancestors 'self'";
const INSIDE = "'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' data: blob:";
const THIS_COMPUTER = ['*.localhost', '127.0.0.1'].flatMap((host) => sources({ host }));

type Hosts = NonNullable<LocalPage['hosts']>;
type Host = Exclude<Hosts, 'any'>['named'][number];

/**
 * The network policy as the browser enforces it: a page loads from this computer and from hosts that need no question, and
 * submits forms, with which it may leave, to those that the user named. The directive of forms is the list that the
 * window reads for the frame around the page.
 */
export function pagePolicy(hosts: LocalPage['hosts']): string {
  if (hosts === undefined || hosts === 'any') return ALWAYS;
  const named = [...THIS_COMPUTER, ...hosts.named.flatMap(sources)].join(' ');
  const builtIn = hosts.builtIn.map(({ host }) => `https://${host}`).join(' ');
  return `${ALWAYS}; default-src ${INSIDE} ${named} ${builtIn}; form-action ${named}`;
}

/** In a policy `*.` does not name the domain itself, `http:` includes https, and no source is an IPv6 address. */
function sources({ host, port = 'any' }: Host): string[] {
  if (isIPv6(host)) return [];
  const names = host.startsWith('*.') ? [host, host.slice(2)] : [host];
  const at = port === 'any' ? '*' : port;
  return names.flatMap((name) => ['http', 'ws'].map((scheme) => `${scheme}://${name}:${at}`));
}
