import { getNonce } from 'get-nonce';
import { type RefObject, useMemo } from 'react';

interface HeldPageProps {
  className?: string;
  title: string;
  /** Of this server. */
  url: string;
  frame?: RefObject<HTMLIFrameElement | null>;
  /** What the page may do: default `allow-scripts`. */
  sandbox?: string;
  /** Where the page may navigate to, as sources of a policy; default: nowhere but this server. */
  leadsTo?: string;
}

/**
 * A page of the agent, of the folder or of a development server, in an opaque origin. Its own policy limits what it loads, not where it navigates:
 * that is for the policy of the document around it, which is this frame's, because the window also frames other sites.
 */
export function HeldPage({ className, frame, ...page }: HeldPageProps) {
  const { title, url, sandbox = 'allow-scripts', leadsTo = '' } = page;
  const srcDoc = useMemo(() => holderOf({ title, url, sandbox, leadsTo }), [title, url, sandbox, leadsTo]);
  return <iframe ref={frame} className={className} title={title} srcDoc={srcDoc} />;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

type HeldPage = Required<Pick<HeldPageProps, 'title' | 'url' | 'sandbox' | 'leadsTo'>>;

function holderOf({ title, url, sandbox, leadsTo }: HeldPage): string {
  const nonce = escaped(getNonce() ?? '');
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; frame-src 'self' ${escaped(leadsTo)}`.trimEnd();
  return (
    `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}">` +
    `<style nonce="${nonce}">html,body,iframe{display:block;width:100%;height:100%;margin:0;border:0}</style>` +
    `<iframe title="${escaped(title)}" sandbox="${sandbox}" referrerpolicy="no-referrer" loading="lazy" ` +
    `src="${escaped(url)}"></iframe>`
  );
}
