import type { CDPSession, Page } from 'playwright-core';

/** An element of a page. Its text comes from the page and is untrusted. */
export interface DescribedElement {
  selector: string;
  html: string;
  styles: Record<string, string>;
  /** From the nearest ancestor to the root. */
  ancestors: { selector: string; tag: string }[];
}

const NOTHING: DescribedElement = { selector: '', html: '', styles: {}, ancestors: [] };

/**
 * The element at a point of the page, in CSS pixels. Runs in an isolated world that the page's scripts cannot access.
 */
export async function elementAt(
  page: Page,
  cdp: CDPSession,
  point: { x: number; y: number },
): Promise<DescribedElement> {
  const { frameTree } = await cdp.send('Page.getFrameTree');
  const { executionContextId } = await cdp.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'described',
  });
  const { result, exceptionDetails } = await cdp.send('Runtime.callFunctionOn', {
    functionDeclaration: DESCRIBE,
    executionContextId,
    arguments: [{ value: point.x }, { value: point.y }],
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(`${page.url()}: ${exceptionDetails.text}`);
  return { ...NOTHING, ...(result.value as DescribedElement | null) };
}

const DESCRIBE = `function (x, y) {
  'use strict';
  const MAX_HTML = 4000;
  const MAX_SELECTOR = 2000;
  const MAX_ANCESTORS = 24;
  const STYLES = ['display', 'position', 'width', 'height', 'margin', 'padding', 'color', 'background-color', 'font-family', 'font-size', 'font-weight', 'line-height', 'border', 'border-radius', 'opacity', 'z-index'];
  const parentOf = (node) => node.parentElement ?? (node.getRootNode() instanceof ShadowRoot ? node.getRootNode().host : null);
  const selectorOf = (element) => {
    const parts = [];
    for (let node = element; node && parts.length < 60; node = node.parentElement) {
      const root = node.getRootNode();
      if (node.id && root.querySelectorAll('#' + CSS.escape(node.id)).length === 1) {
        parts.unshift('#' + CSS.escape(node.id));
        break;
      }
      const name = CSS.escape(node.localName);
      const alike = node.parentElement ? [...node.parentElement.children].filter((one) => one.localName === node.localName) : [node];
      parts.unshift(alike.length > 1 ? name + ':nth-of-type(' + (alike.indexOf(node) + 1) + ')' : name);
    }
    return parts.join(' > ').slice(0, MAX_SELECTOR);
  };
  let found = document.elementFromPoint(x, y);
  while (found && found.shadowRoot) {
    const deeper = found.shadowRoot.elementFromPoint(x, y);
    if (!deeper || deeper === found) break;
    found = deeper;
  }
  if (!found) return null;
  const computed = getComputedStyle(found);
  const styles = Object.fromEntries(STYLES.map((name) => [name, computed.getPropertyValue(name)]));
  const ancestors = [];
  for (let node = parentOf(found); node && ancestors.length < MAX_ANCESTORS; node = parentOf(node)) {
    ancestors.push({ selector: selectorOf(node), tag: node.localName });
  }
  return { selector: selectorOf(found), html: found.outerHTML.slice(0, MAX_HTML), styles, ancestors };
}`;
