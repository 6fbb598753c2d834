/** Why a page may not be shown in a frame of another origin; undefined when it may. */
export type FrameRefusal = 'frame-ancestors' | 'x-frame-options';

/**
 * Applies the page's own framing headers to `parent`. As in browsers, an effective `frame-ancestors` of any policy
 * overrides X-Frame-Options. Repeated headers arrive joined by commas.
 */
export function frameRefusal(
  headers: Readonly<Record<string, string>>,
  { page, parent }: { page: URL; parent: URL },
): FrameRefusal | undefined {
  const rules = ancestorRules(headers['content-security-policy'] ?? '');
  if (rules.length > 0) {
    const isAllowed = rules.every((sources) => sources.some((source) => isMatch(source, { page, parent })));
    return isAllowed ? undefined : 'frame-ancestors';
  }
  return isRefusedByOptions(headers['x-frame-options'], { page, parent }) ? 'x-frame-options' : undefined;
}

/** The sources of the first `frame-ancestors` of each policy; a policy without one is skipped. */
function ancestorRules(header: string): string[][] {
  return header.split(',').flatMap((policy) => {
    const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/));
    const found = directives.find(([name]) => name?.toLowerCase() === 'frame-ancestors');
    return found ? [found.slice(1)] : [];
  });
}

function isMatch(source: string, { page, parent }: { page: URL; parent: URL }): boolean {
  const text = source.toLowerCase();
  if (text === '*') return true;
  if (text === "'self'") return page.origin === parent.origin;
  const [, scheme, rest] = /^(?:([a-z][a-z0-9+.-]*):(?:\/\/|$))?(.*)$/.exec(text) ?? [];
  if (!isScheme(scheme ?? page.protocol.slice(0, -1), parent)) return false;
  if (rest === '' && scheme !== undefined) return true;
  const [, host = '', port] = /^([^/:]+|\[[^\]]+\])(?::(\d+|\*))?(?:\/.*)?$/.exec(rest ?? '') ?? [];
  return isHost(host, parent.hostname) && isPort(port, parent);
}

/** A source that allows http also allows https. */
function isScheme(scheme: string, { protocol }: URL): boolean {
  return protocol === `${scheme}:` || (scheme === 'http' && protocol === 'https:');
}

function isHost(pattern: string, hostname: string): boolean {
  if (pattern === '*') return true;
  return pattern.startsWith('*.') ? hostname.endsWith(pattern.slice(1)) : pattern === hostname;
}

function isPort(pattern: string | undefined, { port, protocol }: URL): boolean {
  if (pattern === '*') return true;
  const usual = protocol === 'https:' ? '443' : '80';
  return (pattern ?? usual) === (port || usual);
}

/** Several different known values forbid framing; a single unknown value is ignored. */
function isRefusedByOptions(header: string | undefined, { page, parent }: { page: URL; parent: URL }): boolean {
  const values = new Set((header ?? '').split(',').map((value) => value.trim().toLowerCase()));
  if (values.size > 1) return ['deny', 'allowall', 'sameorigin'].some((value) => values.has(value));
  return values.has('deny') || (values.has('sameorigin') && page.origin !== parent.origin);
}
