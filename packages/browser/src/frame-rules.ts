/** Why a page may not be shown in a frame of another origin; undefined when it may. */
export type FrameRefusal = 'frame-ancestors' | 'x-frame-options';

/**
 * What a page's own headers say about being framed by `parent`. As in browsers, `frame-ancestors` of any policy in force
 * makes X-Frame-Options count for nothing. Repeated headers come joined by commas.
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

/** The sources of the first `frame-ancestors` of each policy; a policy without one says nothing. */
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

/** A page that may be framed by http may be by https too. */
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

/** Several different values that mean something refuse; a single unknown one means nothing. */
function isRefusedByOptions(header: string | undefined, { page, parent }: { page: URL; parent: URL }): boolean {
  const values = new Set((header ?? '').split(',').map((value) => value.trim().toLowerCase()));
  if (values.size > 1) return ['deny', 'allowall', 'sameorigin'].some((value) => values.has(value));
  return values.has('deny') || (values.has('sameorigin') && page.origin !== parent.origin);
}
