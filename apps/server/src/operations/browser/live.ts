import type { ErrorCode } from '@fucina/shared';
import * as z from 'zod';
import { json, stream } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import {
  describedElement,
  gesture,
  gestureOutcome,
  gestureRefusals,
  liveOpening,
  livePoint,
  liveQuery,
  liveRefusals,
  liveSize,
  liveState,
  openedPage,
  resized,
  screenEvent,
  screenFrames,
} from '../../wire/live-browser.ts';

const common = { tag: 'Browser', query: liveQuery, refusals: liveRefusals } as const;

const ALWAYS = ['BROWSER_VIVO_NON_CONFIGURATO', 'BROWSER_VIVO_ASSENTE', 'BROWSER_VIVO_SENZA_SESSIONE'] as const;
const OF_A_TAB = [
  ...ALWAYS,
  'BROWSER_VIVO_SCHEDA_ASSENTE',
  'BROWSER_VIVO_SENZA_CONNESSIONE',
] as const satisfies readonly ErrorCode[];

export const readLiveBrowser = operation({
  ...common,
  id: 'browser.live-state',
  summary: 'State of the live browser, and the tabs that are open',
  method: 'GET',
  path: '/browser/vivo/stato',
  answer: json(liveState),
  errors: ALWAYS,
  handle: ({ query, services }) => services.sessionBrowser.state(query.sessionId),
});

export const followScreen = operation({
  ...common,
  id: 'browser.live-screen',
  summary: 'Live screen of the page: the latest frame whenever the viewer is ready for one',
  method: 'GET',
  path: '/browser/vivo/schermo',
  answer: stream(screenEvent),
  errors: [...ALWAYS, 'BROWSER_VIVO_SCHEDA_ASSENTE'],
  handle: async ({ query, services, signal, language }) =>
    screenFrames(await services.sessionBrowser.follow(query.sessionId, signal), language),
});

export const openPage = operation({
  ...common,
  id: 'browser.live-open',
  summary: 'Open an address in the live browser, starting the browser if needed',
  method: 'POST',
  path: '/browser/vivo/apri',
  body: liveOpening,
  answer: json(openedPage),
  errors: [
    ...ALWAYS,
    'BROWSER_VIVO_TROPPE_SCHEDE',
    'BROWSER_VIVO_CONNESSIONE_FALLITA',
    'BROWSER_VIVO_SENZA_CONNESSIONE',
  ],
  handle: ({ query, body, services }) => services.sessionBrowser.open(query.sessionId, body),
});

export const sendGesture = operation({
  ...common,
  id: 'browser.live-gesture',
  summary: 'Send a click, a key or a wheel event to the page',
  method: 'POST',
  path: '/browser/vivo/gesto',
  body: gesture,
  refusals: gestureRefusals,
  answer: json(gestureOutcome),
  errors: [...OF_A_TAB, 'BROWSER_VIVO_GESTO_IGNOTO'],
  handle: ({ query, body, services }) => services.sessionBrowser.perform(query.sessionId, body),
});

export const describeElement = operation({
  ...common,
  id: 'browser.live-describe',
  summary: 'Describe the element at a point of the page',
  method: 'POST',
  path: '/browser/vivo/descrivi',
  body: livePoint,
  answer: json(describedElement),
  errors: OF_A_TAB,
  handle: ({ query, body, services }) => services.sessionBrowser.describe(query.sessionId, body),
});

export const resizePage = operation({
  ...common,
  id: 'browser.live-resize',
  summary: 'Resize the viewport of the page',
  method: 'POST',
  path: '/browser/vivo/misura',
  body: liveSize,
  answer: json(resized),
  errors: OF_A_TAB,
  handle: ({ query, body, services }) => services.sessionBrowser.resize(query.sessionId, body),
});

export const closePage = operation({
  ...common,
  id: 'browser.live-close',
  summary: 'Close the tab of a session; the last one closes the browser',
  method: 'POST',
  path: '/browser/vivo/chiudi',
  answer: json(z.object({ chiusa: z.literal(true) })),
  errors: [...ALWAYS, 'BROWSER_VIVO_SCHEDA_ASSENTE'],
  handle: async ({ query, services }) => {
    await services.sessionBrowser.close(query.sessionId);
    return { chiusa: true as const };
  },
});
