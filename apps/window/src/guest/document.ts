import mammoth from 'mammoth';
import { checkArchive } from './archive.ts';
import { cleanHtml } from './clean.ts';
import { GuestError, offer } from './guest.ts';

offer(async ({ bytes }, sheet) => {
  const { names } = await checkArchive(bytes);
  if (!names.includes('word/document.xml')) throw new GuestError('formato');
  const { value } = await mammoth.convertToHtml({ arrayBuffer: bytes }).catch((cause: unknown) => {
    throw new GuestError('danneggiato', cause);
  });
  const page = document.createElement('article');
  page.className = 'page';
  page.append(cleanHtml(value));
  sheet.append(page);
  return 1;
});
