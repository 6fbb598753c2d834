import type { ReactNode } from 'react';
import { FileLink } from './file-link.tsx';
import { OutsideAnchor } from './outside-anchor.tsx';

function hostOf(address: string): string | undefined {
  try {
    const url = new URL(address);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.host : undefined;
  } catch {
    // Not an absolute address: usually a file of the project.
    return undefined;
  }
}

/** Spaces in file addresses are encoded; invalid encoding is not a file address. */
function decoded(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

const wordsOf = (node: ReactNode): string => {
  if (typeof node === 'string') return node;
  if (Array.isArray(node)) return node.map(wordsOf).join('');
  return '';
};

/**
 * An external link: opens in a new tab and shows its target. A file of the folder opens in the window; anything else is
 * plain text.
 */
export function OutsideLink({ address, children }: { address: string; children: ReactNode }) {
  // A source of the surrounding report.
  if (/^#source-\d+$/.test(address)) return <a href={address}>{children}</a>;
  const host = hostOf(address);
  if (!host)
    return (
      <FileLink text={decoded(address)}>
        <span title={address}>{children}</span>
      </FileLink>
    );
  return (
    <OutsideAnchor address={address} title={address}>
      {children}
      {!wordsOf(children).includes(host) && <span className="link-host"> {host}</span>}
    </OutsideAnchor>
  );
}
