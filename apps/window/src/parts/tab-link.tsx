import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import { useParams } from 'react-router';
import { loopbackPort, reachableAddress } from '../wire/session-ports.ts';

const MIDDLE_BUTTON = 1;

/** A link that opens in a new tab. A click on the address of a server in the session's sandbox opens its port first. */
export function TabLink({ href, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const { sessionId } = useParams();
  const follow = (event: MouseEvent) => {
    if (!sessionId || loopbackPort(href) === undefined || event.button > MIDDLE_BUTTON) return;
    event.preventDefault();
    // Browsers open a tab during the click only.
    const tab = window.open('about:blank', '_blank');
    if (!tab) return;
    tab.opener = null;
    const show = (address: string) => tab.location.replace(address);
    reachableAddress(sessionId, href).then(show, () => show(href));
  };
  return <a {...rest} href={href} target="_blank" rel="noopener noreferrer" onClick={follow} onAuxClick={follow} />;
}
