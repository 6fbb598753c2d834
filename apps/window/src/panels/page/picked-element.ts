/** A page's description of a picked element. It is untrusted. */
export interface PickedElement {
  selector: string;
  html: string;
  styles: Readonly<Record<string, string>>;
}

/** Messages of a proxied page's overlay. */
export type OverlayWord =
  | { kind: 'element'; element: PickedElement }
  | { kind: 'ended' }
  | { kind: 'go'; url: string }
  | { kind: 'blocked'; host: string };

const MOST_CHARS = 4_000;
const MOST_STYLES = 24;
const MOST_HOST = 260;

/** A page may send anything: unexpected messages are ignored. */
export function overlayWord(data: unknown): OverlayWord | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { type, selector, html, styles, url, host } = data as Record<string, unknown>;
  if (type === 'svc-indica-fine') return { kind: 'ended' };
  if (type === 'svc-vai' && typeof url === 'string') return { kind: 'go', url };
  if (type === 'svc-bloccato' && typeof host === 'string') return { kind: 'blocked', host: host.slice(0, MOST_HOST) };
  if (type !== 'svc-elemento' || typeof selector !== 'string' || typeof html !== 'string') return undefined;
  const pairs = Object.entries(typeof styles === 'object' && styles !== null ? styles : {}).slice(0, MOST_STYLES);
  const words = pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1].length < 200);
  const element = { selector: selector.slice(0, MOST_CHARS), html: html.slice(0, MOST_CHARS) };
  return { kind: 'element', element: { ...element, styles: Object.fromEntries(words) } };
}

const REPORTED_STYLES = ['display', 'width', 'height', 'color', 'background-color', 'font-size'];

/** The element in a message: quoted safely, whatever it contains. */
export function quotedElement({ selector, html, styles }: PickedElement, url: string): string {
  const declarations = REPORTED_STYLES.flatMap((name) => (styles[name] ? [`${name}: ${styles[name]}`] : []));
  const css = declarations.length > 0 ? `\n${fenced(declarations.join('; '), 'css')}` : '';
  return `${url}\n${fenced(selector, 'css')}\n${fenced(html, 'html')}${css}\n`;
}

/** A fence longer than any in it. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
