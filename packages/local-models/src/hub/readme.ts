import { textStart } from '@fucina/shared';
export interface ReadmeImage {
  alt: string;
  /** Absolute, https. */
  url: string;
}

const MAX_IMAGES = 100;
const MAX_ALT = 300;

/** The text of a model card without images and front matter, and the images separately. */
export function splitReadme(source: string, base: string): { readme: string; images: readonly ReadmeImage[] } {
  const images: ReadmeImage[] = [];
  const take = (alt: string, address: string): void => {
    const url = absolute(address, base);
    const isNew = url !== undefined && !images.some((image) => image.url === url);
    if (isNew && images.length < MAX_IMAGES) images.push({ alt: textStart(alt.trim(), MAX_ALT), url });
  };
  const withoutTags = takeTags(withoutFacts(source), take);
  const readme = takeMarkdown(withoutTags, take)
    // A badge was an image in a link: the rest of it is meaningless.
    .replace(/\[\s{0,20}\]\([^()\n]{0,2000}\)/g, '')
    .trim();
  return { readme, images };
}

function withoutFacts(source: string): string {
  const text = source.replace(/^\uFEFF/, '');
  if (!/^---\r?\n/.test(text)) return text;
  const end = text.indexOf('\n---', 3);
  const after = end < 0 ? -1 : text.indexOf('\n', end + 1);
  return end < 0 ? text : after < 0 ? '' : text.slice(after + 1);
}

type Take = (alt: string, address: string) => void;

/** `<img …>` in any case; an unclosed tag is text. Linear time: each part is scanned once. */
function takeTags(source: string, take: Take): string {
  const [first = '', ...pieces] = source.split(/<img(?=[\s/>])/i);
  return pieces.reduce((text, piece) => {
    const end = piece.indexOf('>');
    if (end < 0) return `${text}<img${piece}`;
    const tag = piece.slice(0, Math.min(end, 4_000));
    take(attribute(tag, 'alt'), attribute(tag, 'src'));
    return text + piece.slice(end + 1);
  }, first);
}

function attribute(tag: string, name: 'alt' | 'src'): string {
  const found = new RegExp(`\\s${name}\\s?=\\s?(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag);
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? '';
}

const INLINE = /^([^\]\n]*)\]\(\s{0,5}<?([^\s)<>]*)>?(?:\s+["'(][^\n]{0,300}?["')])?\s{0,5}\)/;
const BY_NAME = /^([^\]\n]*)\](?:\[([^\]\n]*)\])?/;

/** `![alt](url "title")` and `![alt][name]`. Linear time: each part ends where the next image begins. */
function takeMarkdown(source: string, take: Take): string {
  const [first = '', ...pieces] = source.split('![');
  if (pieces.length === 0) return source;
  const places = definitions(source);
  return pieces.reduce((text, piece) => {
    const inline = INLINE.exec(piece);
    if (inline) {
      take(inline[1] ?? '', inline[2] ?? '');
      return text + piece.slice(inline[0].length);
    }
    const named = BY_NAME.exec(piece);
    const place = !named ? undefined : places.get((named[2] || named[1] || '').toLowerCase());
    if (!named || place === undefined) return `${text}![${piece}`;
    take(named[1] ?? '', place);
    return text + piece.slice(named[0].length);
  }, first);
}

function definitions(source: string): Map<string, string> {
  const lines = source.matchAll(/^ {0,3}\[([^\]\n]{1,200})\]:[ \t]{0,10}<?([^\s<>]{1,2000})>?/gm);
  return new Map([...lines].map(([, name = '', url = '']) => [name.toLowerCase(), url]));
}

function absolute(address: string, base: string): string | undefined {
  if (address === '' || !URL.canParse(address, base)) return undefined;
  const url = new URL(address, base);
  return url.protocol === 'https:' ? url.href : undefined;
}
