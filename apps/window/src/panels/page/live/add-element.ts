import { addToDraft } from '../../../shell/drafts.ts';
import type { DescribedElement } from '../../../wire/live-browser.ts';
import { upload } from '../../session/composer/uploads.ts';
import { keptAttachments } from '../../session/composer/use-attachments.ts';
import { quotedElement } from '../picked-element.ts';

let count = 0;

/** Adds an element to the draft message: its text as a quote, and a screenshot. */
export async function addElementToDraft(
  sessionId: string,
  { url, selector, html, styles }: DescribedElement,
  canvas: HTMLCanvasElement | null,
): Promise<void> {
  addToDraft(sessionId, quotedElement({ selector, html, styles }, url));
  const picture = await new Promise<Blob | null>((resolve) => {
    if (canvas) canvas.toBlob(resolve, 'image/jpeg', 0.8);
    else resolve(null);
  });
  if (!picture) return;
  count += 1;
  const name = `page-${count}.jpg`;
  const sent = await upload(new File([picture], name, { type: 'image/jpeg' }), sessionId);
  const before = keptAttachments.get(sessionId) ?? [];
  keptAttachments.set(sessionId, [...before, { id: -count, name, state: 'ready', ...sent }]);
}
