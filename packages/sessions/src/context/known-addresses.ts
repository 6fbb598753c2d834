import { isSameSite, type SessionEvent } from '@fucina/shared';

/** Addresses of a session: those that its messages contain and those that its tools found. */
export interface KnownAddresses {
  learn(event: SessionEvent): void;
  /** Compared as a whole, without fragment: nothing can be added to a known address. */
  isWritten(address: string): boolean;
  isFound(address: string): boolean;
  /** A message contains an address of the same site. */
  isSiteWritten(address: string): Promise<boolean>;
}

/** Of each kind. The oldest are forgotten first: the agent then asks for them. */
const MAX_ADDRESSES = 10_000;
const ADDRESS = /https?:\/\/[^\s<>"'`|\\^{}]+/gi;

export function createKnownAddresses(): KnownAddresses {
  const written = new Set<string>();
  const found = new Set<string>();
  return {
    learn(event) {
      for (const address of writtenIn(textOf(event))) remember(written, address);
      if (event.type === 'ToolCallResult') for (const address of event.indirizzi ?? []) remember(found, address);
    },
    isWritten: (address) => written.has(normalized(address) ?? ''),
    isFound: (address) => found.has(normalized(address) ?? ''),
    async isSiteWritten(address) {
      for (const one of written) if (await isSameSite(one, address)) return true;
      return false;
    },
  };
}

function remember(known: Set<string>, address: string): void {
  const normal = normalized(address);
  if (normal === undefined) return;
  known.delete(normal);
  known.add(normal);
  const [oldest] = known;
  if (known.size > MAX_ADDRESSES && oldest !== undefined) known.delete(oldest);
}

function textOf(event: SessionEvent): string {
  switch (event.type) {
    case 'RunStarted':
      return event.input?.consegna ?? '';
    case 'RunRedirectApplied':
    case 'QueuedMessageDelivered':
      return event.testo;
    default:
      return '';
  }
}

/** Also without the punctuation that ends a sentence or closes a bracket around the address. */
function writtenIn(text: string): readonly string[] {
  return (text.match(ADDRESS) ?? []).flatMap((one) => [one, one.replace(/[.,;:!?)\]*_]+$/, '')]);
}

function normalized(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  url.hash = '';
  return url.href;
}
