/** Allowed elements and attributes of a document's HTML. Links are not clickable: their address is shown instead. */
const ALLOWED_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: [],
  b: [],
  blockquote: [],
  br: [],
  code: [],
  dd: [],
  dl: [],
  dt: [],
  em: [],
  h1: [],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  hr: [],
  i: [],
  img: ['alt'],
  li: [],
  ol: ['start'],
  p: [],
  pre: [],
  s: [],
  strong: [],
  sub: [],
  sup: [],
  table: [],
  tbody: [],
  td: ['colspan', 'rowspan'],
  tfoot: [],
  th: ['colspan', 'rowspan'],
  thead: [],
  tr: [],
  u: [],
  ul: [],
};
const PICTURE = /^data:image\/(?:png|jpeg|gif|webp|bmp|svg\+xml);base64,/;

/** Rebuilds `html` from allowed elements only; it is never inserted as HTML text. */
export function cleanHtml(html: string): DocumentFragment {
  const source = new DOMParser().parseFromString(html, 'text/html');
  const result = document.createDocumentFragment();
  for (const node of source.body.childNodes) append(result, node);
  return result;
}

function append(parent: Node, node: Node): void {
  if (node instanceof Text) return void parent.appendChild(document.createTextNode(node.data));
  if (!(node instanceof Element)) return;
  const name = node.localName;
  const isSilent = name === 'script' || name === 'style' || name === 'template' || name === 'iframe';
  if (isSilent) return;
  const allowed = ALLOWED_ATTRIBUTES[name];
  const target = allowed ? element(name, node, allowed) : undefined;
  for (const child of node.childNodes) append(target ?? parent, child);
  if (target) parent.appendChild(target);
  if (target && name === 'a') showAddress(target, node.getAttribute('href'));
}

function element(name: string, source: Element, allowed: readonly string[]): HTMLElement {
  const made = document.createElement(name);
  for (const attribute of allowed) {
    const value = source.getAttribute(attribute);
    if (value !== null) made.setAttribute(attribute, value);
  }
  if (made instanceof HTMLImageElement) {
    const address = source.getAttribute('src') ?? '';
    if (PICTURE.test(address)) made.src = address;
    made.alt = source.getAttribute('alt') ?? '';
  }
  const id = source.getAttribute('id');
  if (id) made.dataset.place = id;
  return made;
}

/** A link within the document scrolls; an external one only shows its address. */
function showAddress(link: HTMLElement, href: string | null): void {
  if (!href) return;
  if (href.startsWith('#')) {
    link.className = 'inner';
    link.tabIndex = 0;
    link.setAttribute('role', 'link');
    const go = () =>
      document.querySelector(`[data-place="${CSS.escape(href.slice(1))}"]`)?.scrollIntoView({ block: 'start' });
    link.addEventListener('click', go);
    link.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') go();
    });
    return;
  }
  link.className = 'away';
  link.title = href;
  if (!link.textContent?.includes(href)) {
    const shown = document.createElement('span');
    shown.className = 'address';
    shown.textContent = ` ${href}`;
    link.append(shown);
  }
}
