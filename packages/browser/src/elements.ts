import type { DefaultTreeAdapterTypes } from 'parse5';

/** Every descendant element, in document order. */
export function* elementsOf(root: DefaultTreeAdapterTypes.ParentNode): Generator<DefaultTreeAdapterTypes.Element> {
  const waiting: DefaultTreeAdapterTypes.ParentNode[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if ('tagName' in node) yield node;
    // In reverse order: the first child is visited first.
    for (let index = node.childNodes.length - 1; index >= 0; index -= 1) {
      const child = node.childNodes[index];
      if (child && 'tagName' in child) waiting.push(child);
    }
  }
}

export function attribute(element: DefaultTreeAdapterTypes.Element, name: string): string | undefined {
  return element.attrs.find((one) => one.name === name)?.value;
}
