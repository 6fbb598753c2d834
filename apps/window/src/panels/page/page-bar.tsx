import { Button } from '@mantine/core';
import { ExternalLink, RotateCw } from 'lucide-react';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { OutsideAnchor } from '../../parts/outside-anchor.tsx';
import { faviconAddress } from '../../wire/browser.ts';
import { useWords } from '../../words/words.ts';
import { addressFromTyped } from './page-address.ts';

interface BarProps {
  /** The current address. */
  url: string;
  go(url: string): void;
  reload(): void;
  /** Opening the current address reloads it. */
  isAlive?: boolean;
  children?: ReactNode;
}

/** The icon of a public site, if any. */
function SiteIcon({ url }: { url: string }) {
  const [isMissing, setIsMissing] = useState(false);
  const { protocol, hostname } = new URL(url);
  if (isMissing || protocol !== 'https:') return null;
  return (
    <img
      className="page-icon"
      src={faviconAddress(hostname)}
      width={16}
      height={16}
      alt=""
      onError={() => setIsMissing(true)}
    />
  );
}

/** The address field. Recreated for every address. */
export function PageBar({ url, go, reload, isAlive = false, children }: BarProps) {
  const { say } = useWords();
  const id = useId();
  const [text, setText] = useState(url);
  const [isBad, setIsBad] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const written = addressFromTyped(text);
    setIsBad(written === undefined);
    if (written === undefined) return;
    if (written === url && !isAlive) reload();
    else go(written);
  };
  return (
    <>
      <form className="page-bar" onSubmit={submit}>
        {url && (
          <button
            type="button"
            className="icon-button"
            aria-label={say('page.reload')}
            title={say('page.reload')}
            onClick={reload}
          >
            <RotateCw size={14} aria-hidden />
          </button>
        )}
        {url && <SiteIcon url={url} />}
        <input
          className="input"
          type="text"
          inputMode="url"
          aria-label={say('page.address')}
          aria-invalid={isBad}
          aria-describedby={isBad ? id : undefined}
          placeholder={say('page.placeholder')}
          autoComplete="off"
          spellCheck={false}
          autoFocus={url === ''}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onFocus={(event) => event.target.select()}
        />
        <Button type="submit">{say('page.open')}</Button>
        {url && (
          <OutsideAnchor className="icon-button" address={url} label={say('page.apart')} title={say('page.apart')}>
            <ExternalLink size={14} aria-hidden />
          </OutsideAnchor>
        )}
        {children}
      </form>
      {isBad && (
        <p id={id} className="page-note small" role="alert">
          {say('page.badAddress')}
        </p>
      )}
    </>
  );
}
