import type { ReactNode } from 'react';

function hostOf(address: string): string | undefined {
  try {
    const url = new URL(address);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.host : undefined;
  } catch {
    // Not an absolute address: a file of the project, most often.
    return undefined;
  }
}

const wordsOf = (node: ReactNode): string => {
  if (typeof node === 'string') return node;
  if (Array.isArray(node)) return node.map(wordsOf).join('');
  return '';
};

/** A link that leaves the window: it opens apart and shows where it goes. Anything but http(s) stays text. */
export function Outside({ address, children }: { address: string; children: ReactNode }) {
  const host = hostOf(address);
  if (!host) return <span title={address}>{children}</span>;
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" title={address}>
      {children}
      {!wordsOf(children).includes(host) && <span className="link-host"> {host}</span>}
    </a>
  );
}
