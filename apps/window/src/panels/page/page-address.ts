const LOCAL = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Parses the address field: a port means this computer, a name means https. */
export function addressFromTyped(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  if (/^:?\d{1,5}(\/.*)?$/.test(trimmed)) return checked(`http://localhost:${trimmed.replace(/^:/, '')}`);
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed)) return checked(trimmed);
  const host = /^(\[[^\]]*\]|[^/:?#]*)/.exec(trimmed)?.[0] ?? '';
  return checked(`${LOCAL.test(host) ? 'http' : 'https'}://${trimmed}`);
}

function checked(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPage = (url.protocol === 'http:' || url.protocol === 'https:') && url.username === '' && url.password === '';
  return isPage && url.href.length <= 2_048 ? url.href : undefined;
}

/** An address of this computer, the only ones that its pages may link to. */
export function isLocalAddress(text: string): boolean {
  const url = addressFromTyped(text);
  return url !== undefined && LOCAL.test(new URL(url).hostname);
}
