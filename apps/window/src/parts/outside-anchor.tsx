import type { MouseEvent, ReactNode } from 'react';
import { useParams } from 'react-router';
import { loopbackPort, reachableAddress } from '../wire/session-ports.ts';
import { useWords } from '../words/words.ts';
import { outsideAddress } from './outside-address.ts';

interface OutsideAnchorProps {
  /** Absolute. */
  address: string;
  children: ReactNode;
  className?: string;
  title?: string;
  label?: string;
}

const MIDDLE_BUTTON = 1;

/**
 * A link that opens in a new tab, where it cannot receive the window's token; otherwise its text and the reason. A click
 * on the address of a server in the session's sandbox opens its port first.
 */
export function OutsideAnchor({ address, children, className, title, label }: OutsideAnchorProps) {
  const { sessionId } = useParams();
  const href = outsideAddress(address);
  if (href === undefined)
    return (
      <span className={className}>
        {children} <RefusedLink />
      </span>
    );
  const follow = (event: MouseEvent) => {
    if (!sessionId || loopbackPort(href) === undefined || event.button > MIDDLE_BUTTON) return;
    event.preventDefault();
    // Browsers open a tab during the click only.
    const tab = window.open('about:blank', '_blank');
    if (!tab) return;
    tab.opener = null;
    const show = (found: string) => tab.location.replace(outsideAddress(found) ?? href);
    reachableAddress(sessionId, href).then(show, () => show(href));
  };
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className={className}
      title={title}
      aria-label={label}
      onClick={follow}
      onAuxClick={follow}
    >
      {children}
    </a>
  );
}

/** Why an address is not a link. */
export function RefusedLink() {
  const { say } = useWords();
  return <span className="small muted">{say('link.refused')}</span>;
}
