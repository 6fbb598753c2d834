import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const BROWSER_EN = {
  BROWSER_PROXY_IRRAGGIUNGIBILE: [
    'Page not reachable',
    'The address did not answer.',
    'Check the address, make sure the site is running, then try again.',
  ],
  BROWSER_PROXY_NON_HTML: [
    'Not a web page',
    'The address returned something other than HTML.',
    'Open the address of a web page.',
  ],
  BROWSER_PROXY_SOLO_LOCALE: [
    'Only local pages',
    'Only a page served by this computer can be annotated.',
    'Start the site locally and open its address.',
  ],
  BROWSER_PROXY_TROPPO_GRANDE: ['Page too large', 'The page is larger than 5 MB.', 'Open a lighter page.'],
  BROWSER_VIVO_ASSENTE: [
    'No browser found',
    'No suitable browser was found on this computer.',
    'Install Chrome, Edge or Chromium and try again.',
  ],
  BROWSER_VIVO_CONNESSIONE_FALLITA: [
    'Could not connect to the browser',
    'The browser did not start, or did not accept the connection.',
    'Close the live browser and open it again.',
  ],
  BROWSER_VIVO_GESTO_IGNOTO: [
    'Input not recognized',
    'The browser accepts clicks, keys and scrolling; this request was something else.',
    'Use the mouse or the keyboard on the page.',
  ],
  BROWSER_VIVO_NON_CONFIGURATO: [
    'Live browser not available',
    'Fucina was started without the live browser.',
    'Check the browser settings and restart Fucina.',
  ],
  BROWSER_VIVO_SCHEDA_ASSENTE: ['No tab open', 'This session has no browser tab open.', 'Open a page and try again.'],
  BROWSER_VIVO_SENZA_CONNESSIONE: [
    'Connection to the browser lost',
    'The tab is open but no longer responds.',
    'Close the tab and open it again.',
  ],
  BROWSER_VIVO_SENZA_SESSIONE: [
    'Session missing',
    'The browser request does not name a session.',
    'Open the browser from a session.',
  ],
  BROWSER_VIVO_TROPPE_SCHEDE: [
    'Too many tabs open',
    'The live browser has reached its maximum number of tabs.',
    'Close the browser in another session and try again.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
