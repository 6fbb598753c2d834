import type { Archive } from '../archive.ts';
import { GuestError } from '../guest.ts';

/** The parts of a presentation and the relationships between them. */
export interface PresentationParts {
  /** Undefined: no such part. Throws GuestError for a damaged one. */
  xml(path: string): Promise<Element | undefined>;
  bytes(path: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Relationships of a part: id → target inside the file. External targets are omitted. */
  links(path: string): Promise<ReadonlyMap<string, Relationship>>;
}

export interface Relationship {
  type: string;
  path: string;
}

export function partsOf(archive: Archive): PresentationParts {
  const known = new Map<string, Element | undefined>();
  const xml = async (path: string): Promise<Element | undefined> => {
    if (known.has(path)) return known.get(path);
    const bytes = await archive.read(path);
    const root = bytes && parse(new TextDecoder().decode(bytes));
    known.set(path, root);
    return root;
  };
  return {
    xml,
    bytes: (path) => archive.read(path),
    async links(path) {
      const cut = path.lastIndexOf('/');
      const root = await xml(`${path.slice(0, cut)}/_rels/${path.slice(cut + 1)}.rels`);
      const links = new Map<string, Relationship>();
      for (const item of root?.children ?? []) {
        if (item.getAttribute('TargetMode') === 'External') continue;
        const target = item.getAttribute('Target') ?? '';
        const type = (item.getAttribute('Type') ?? '').split('/').at(-1) ?? '';
        links.set(item.getAttribute('Id') ?? '', { type, path: resolved(path.slice(0, cut), target) });
      }
      return links;
    },
  };
}

/** Entity definitions have no use in a part except for attacks. */
function parse(text: string): Element {
  if (/<!DOCTYPE/i.test(text)) throw new GuestError('danneggiato');
  const { documentElement } = new DOMParser().parseFromString(text, 'application/xml');
  if (documentElement.localName === 'parsererror' || documentElement.querySelector('parsererror')) {
    throw new GuestError('danneggiato');
  }
  return documentElement;
}

function resolved(folder: string, target: string): string {
  const segments: string[] = target.startsWith('/') ? [] : folder.split('/');
  for (const segment of target.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return segments.join('/');
}

/** The first descendant along the given names, with any prefix. */
export function childNamed(element: Element | undefined, ...names: string[]): Element | undefined {
  let at = element;
  for (const name of names) at = at && [...at.children].find(({ localName }) => localName === name);
  return at;
}

export const children = (element: Element | undefined, name: string): Element[] =>
  [...(element?.children ?? [])].filter(({ localName }) => localName === name);

/** All descendants of that name. */
export const descendantsNamed = (element: Element | undefined, name: string): Element[] => [
  ...(element?.getElementsByTagNameNS('*', name) ?? []),
];

export const numberOf = (element: Element | undefined, name: string): number | undefined => {
  const value = element?.getAttribute(name);
  const number = value === null || value === undefined || value === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : undefined;
};

/** An attribute of the relationships namespace, by its local name. */
export const linkOf = (element: Element | undefined, name: string): string =>
  [...(element?.attributes ?? [])].find(
    (attribute) => attribute.localName === name && attribute.namespaceURI?.includes('relationships'),
  )?.value ?? '';
