import type { BrowserContext, CDPSession, Page, Request } from 'playwright-core';
import type { TabPolicy } from './tab-policy.ts';

const PASSIVE = new Set(['image', 'stylesheet', 'script', 'font', 'media']);

/** Announces what the pages of a tab send, so that a question about a connection shows the whole address and its data. */
export function announceRequests(context: BrowserContext, { announce }: Pick<TabPolicy, 'announce'>): void {
  context.on('request', (request) => {
    if (/^https?:/.test(request.url())) announce(factsOf(request));
  });
}

function factsOf(request: Request) {
  const method = request.method();
  const isPassive = method === 'GET' && PASSIVE.has(request.resourceType());
  return { url: request.url(), method, data: bodyOf(request), isPassive };
}

function bodyOf(request: Request): string | undefined {
  return request.postDataBuffer()?.toString('utf8') || undefined;
}

/**
 * Holds each navigation of a page until the policy has decided; one that it refuses leaves the page as it is. The driver's
 * own routes do not see redirects, and turn the cache off.
 */
export async function guardNavigation(
  { page, isWindow }: { page: Page; isWindow: boolean },
  policy: Pick<TabPolicy, 'mayNavigate' | 'shows' | 'announce'>,
): Promise<void> {
  const control = await page.context().newCDPSession(page);
  const { frameTree } = await control.send('Page.getFrameTree');
  control.on('Fetch.requestPaused', ({ requestId, frameId, request }) => {
    const { url, method, postData: data } = request;
    const asked = frameId === frameTree.frame.id ? policy.mayNavigate({ url, method, data }) : Promise.resolve(true);
    void asked.then((may) => decide(control, requestId, may)).catch(isOver);
  });
  control.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId === undefined) void policy.shows(frame.url, isWindow);
  });
  // The driver tells of a socket only once it is connected.
  control.on('Network.webSocketCreated', ({ url }) =>
    policy.announce({ url: url.replace(/^ws/, 'http'), isPassive: false }),
  );
  await control.send('Network.enable');
  await control.send('Page.enable');
  await control.send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] });
  if (frameTree.frame.url) await policy.shows(frameTree.frame.url, isWindow);
}

async function decide(control: CDPSession, requestId: string, may: boolean): Promise<void> {
  if (may) await control.send('Fetch.continueRequest', { requestId });
  else await control.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
}

/** The page is gone, and its request with it. */
function isOver(): void {}
