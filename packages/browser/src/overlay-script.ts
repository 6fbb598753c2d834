/**
 * Runs in the proxied page: highlights the element under the pointer or with the focus while the window asks for it,
 * and sends the picked one. Receives `svc-indica {attivo}`. Sends `svc-pagina {url}`, `svc-elemento {selector, html,
 * styles, url}`, `svc-indica-fine`, `svc-vai {url}` (a link of the same server). The page's own scripts could send the
 * same messages, so the window treats them as untrusted. The window is the top: the frame around the page is only its
 * policy. Sends `svc-bloccato {host}` when the page's own policy blocks one.
 */
export function overlayScript(facts: { pageUrl: string; baseUrl: string; windowOrigin: string }): string {
  // In a script, "<" could close the script element.
  return `(${SCRIPT})(${JSON.stringify(facts).replaceAll('<', '\\u003c')})`;
}

const SCRIPT = `function (facts) {
  'use strict';
  const { pageUrl, baseUrl, windowOrigin } = facts;
  const MAX_HTML = 4000;
  const STYLES = ['display', 'position', 'width', 'height', 'margin', 'padding', 'color', 'background-color', 'font-family', 'font-size', 'font-weight', 'line-height', 'border', 'border-radius', 'opacity', 'z-index'];
  const tell = (message) => top.postMessage(message, windowOrigin);
  addEventListener('securitypolicyviolation', ({ blockedURI }) => {
    if (URL.canParse(blockedURI) && new URL(blockedURI).host) tell({ type: 'svc-bloccato', host: new URL(blockedURI).host });
  });
  let isOn = false;
  let box;
  const show = (element) => {
    if (!box) {
      box = document.createElement('div');
      box.setAttribute('aria-hidden', 'true');
      for (const [name, value] of Object.entries({ position: 'fixed', 'pointer-events': 'none', 'z-index': '2147483647', outline: '2px solid #1a73e8', background: 'rgba(26,115,232,.18)', margin: '0', padding: '0', border: '0' })) box.style.setProperty(name, value, 'important');
    }
    if (!element || element === document.documentElement) return box.remove();
    const { left, top, width, height } = element.getBoundingClientRect();
    for (const [name, value] of Object.entries({ left, top, width, height })) box.style.setProperty(name, value + 'px', 'important');
    if (!box.isConnected) document.documentElement.append(box);
  };
  const selectorOf = (element) => {
    const parts = [];
    for (let node = element; node && node.nodeType === 1; node = node.parentElement) {
      if (node.id && document.querySelectorAll('#' + CSS.escape(node.id)).length === 1) {
        parts.unshift('#' + CSS.escape(node.id));
        break;
      }
      const name = CSS.escape(node.localName);
      const alike = node.parentElement ? [...node.parentElement.children].filter((one) => one.localName === node.localName) : [node];
      parts.unshift(alike.length > 1 ? name + ':nth-of-type(' + (alike.indexOf(node) + 1) + ')' : name);
    }
    return parts.join(' > ');
  };
  const stop = () => {
    isOn = false;
    show(null);
    document.documentElement.style.removeProperty('cursor');
  };
  const pick = (element) => {
    stop();
    const computed = getComputedStyle(element);
    const styles = Object.fromEntries(STYLES.map((name) => [name, computed.getPropertyValue(name)]));
    tell({ type: 'svc-elemento', selector: selectorOf(element).slice(0, 2000), html: element.outerHTML.slice(0, MAX_HTML), styles, url: pageUrl });
  };
  const swallow = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  addEventListener('message', ({ source, origin, data }) => {
    if (source !== top || origin !== windowOrigin || !data || data.type !== 'svc-indica') return;
    if (!data.attivo) return stop();
    isOn = true;
    document.documentElement.style.setProperty('cursor', 'crosshair', 'important');
  });
  for (const name of ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'dblclick', 'contextmenu', 'submit']) {
    addEventListener(name, (event) => isOn && swallow(event), true);
  }
  addEventListener('pointermove', ({ target }) => isOn && show(target instanceof Element ? target : null), true);
  addEventListener('focusin', ({ target }) => isOn && show(target instanceof Element ? target : null), true);
  addEventListener('keydown', (event) => {
    if (!isOn || (event.key !== 'Escape' && event.key !== 'Enter')) return;
    swallow(event);
    if (event.key === 'Enter' && document.activeElement) return pick(document.activeElement);
    stop();
    tell({ type: 'svc-indica-fine' });
  }, true);
  addEventListener('click', (event) => {
    if (isOn) {
      swallow(event);
      if (event.target instanceof Element) pick(event.target);
    }
  }, true);
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const url = new URL(link.href, baseUrl);
    if (url.origin !== new URL(baseUrl).origin || link.hasAttribute('download')) return;
    event.preventDefault();
    if (url.hash && url.href.split('#')[0] === baseUrl.split('#')[0]) {
      const place = document.getElementById(decodeURIComponent(url.hash.slice(1)));
      if (place) place.scrollIntoView();
      return;
    }
    tell({ type: 'svc-vai', url: url.href });
  });
  tell({ type: 'svc-pagina', url: pageUrl });
}`;
