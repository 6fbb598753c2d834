import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';

export const BROWSER_EN = {
  BROWSER_PROXY_IRRAGGIUNGIBILE: [
    'Page out of reach',
    'The address did not answer.',
    'Check the address and that the site is up, then try again.',
  ],
  BROWSER_PROXY_NON_HTML: [
    'Not a web page',
    'The address answers with something that is not a web page.',
    'Open the address of a page.',
  ],
  BROWSER_PROXY_SOLO_LOCALE: [
    'Only pages of this computer',
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
    'Gesture not recognised',
    'The browser can be asked for a click, a key or the wheel; something else arrived.',
    'Use the mouse or the keyboard on the page.',
  ],
  BROWSER_VIVO_NON_CONFIGURATO: [
    'Live browser not set up',
    'The live browser is not set up in this start of Fucina.',
    'Check the browser settings and start Fucina again.',
  ],
  BROWSER_VIVO_SCHEDA_ASSENTE: ['No tab open', 'This session has no browser tab open.', 'Open a page and try again.'],
  BROWSER_VIVO_SENZA_CONNESSIONE: [
    'Connection to the browser lost',
    'The tab is open, but it no longer answers to commands.',
    'Close the tab and open it again.',
  ],
  BROWSER_VIVO_SENZA_SESSIONE: [
    'The session is missing',
    'The request to the browser does not say which session it is about.',
    'Open the browser from a session.',
  ],
  BROWSER_VIVO_TROPPE_SCHEDE: [
    'Too many tabs open',
    'The live browser already has as many tabs as it can hold.',
    'Close the browser in another session and try again.',
  ],
} satisfies Partial<Record<ErrorCode, Entry>>;
