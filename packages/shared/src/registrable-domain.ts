/**
 * The domain that one owner registered: `docs.example.co.uk` → `example.co.uk`, `a.github.io` → `a.github.io`. Undefined
 * for an IP address, a single label and a public suffix. `host` is lower case. Source: the Public Suffix List, which the
 * library contains; loaded at first use.
 */
export async function registrableDomain(host: string): Promise<string | undefined> {
  const { default: domains } = await import('tldts');
  return domains.getDomain(host, { allowPrivateDomains: true }) ?? undefined;
}

/** Whether two addresses belong to one owner. False for an address that cannot be read. */
export async function isSameSite(one: string, other: string): Promise<boolean> {
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const [first, second] = [new URL(one).hostname, new URL(other).hostname];
  if (first === second) return true;
  const domain = await registrableDomain(first);
  return domain !== undefined && domain === (await registrableDomain(second));
}
