import { getNonce } from 'get-nonce';
import { useMemo } from 'react';

interface HeldPageProps {
  className?: string;
  title: string;
  /** Of this server. */
  url: string;
}

/**
 * A page of the agent or of the folder, in an opaque origin. Its own policy forbids it all network, except to navigate:
 * that is for the policy of the document around it, which is this frame's, because the window also frames other sites.
 */
export function HeldPage({ className, title, url }: HeldPageProps) {
  const srcDoc = useMemo(() => holderOf(title, url), [title, url]);
  return <iframe className={className} title={title} srcDoc={srcDoc} />;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

function holderOf(title: string, url: string): string {
  const nonce = escaped(getNonce() ?? '');
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; frame-src 'self'`;
  return (
    `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}">` +
    `<style nonce="${nonce}">html,body,iframe{display:block;width:100%;height:100%;margin:0;border:0}</style>` +
    `<iframe title="${escaped(title)}" sandbox="allow-scripts" referrerpolicy="no-referrer" loading="lazy" ` +
    `src="${escaped(url)}"></iframe>`
  );
}
