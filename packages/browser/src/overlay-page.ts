import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { attribute, elementsOf } from './elements.ts';
import { overlayScript } from './overlay-script.ts';

export interface OverlayRequest {
  html: string;
  /** As it was requested. */
  pageUrl: string;
  /** The base address from which the browser loads the page's resources. */
  baseUrl: string;
  /** The only origin that the overlay talks to. */
  windowOrigin: string;
}

/** The page with a base address and the overlay inserted at the start of its head. */
export function withOverlay({ html, pageUrl, baseUrl, windowOrigin }: OverlayRequest): string {
  const document = parse(html, { sourceCodeLocationInfo: true });
  const elements = [...elementsOf(document)];
  const ownBase = elements.find((one) => one.tagName === 'base' && attribute(one, 'href') !== undefined);
  const base = ownBase ? resolved(attribute(ownBase, 'href') ?? '', baseUrl) : baseUrl;
  const added = `<base href="${escaped(base)}"><script>${overlayScript({ pageUrl, baseUrl: base, windowOrigin })}</script>`;
  const at = headStart(html, document, elements);
  return html.slice(0, at) + added + html.slice(at);
}

/** After the head tag, or where the parser would open a head. */
function headStart(
  html: string,
  document: DefaultTreeAdapterTypes.Document,
  elements: readonly DefaultTreeAdapterTypes.Element[],
): number {
  for (const name of ['head', 'html']) {
    const tag = elements.find(({ tagName }) => tagName === name)?.sourceCodeLocation?.startTag;
    if (tag) return tag.endOffset;
  }
  const doctype = document.childNodes.find(({ nodeName }) => nodeName === '#documentType');
  return doctype?.sourceCodeLocation?.endOffset ?? (html.startsWith('\ufeff') ? 1 : 0);
}

function resolved(href: string, base: string): string {
  const url = URL.canParse(href, base) ? new URL(href, base) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.href : base;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
