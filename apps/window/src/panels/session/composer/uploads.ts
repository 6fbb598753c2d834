import { ApiError } from '@fucina/client';
import type { ChatImageReference } from '@fucina/conversation';
import { api } from '../../../wire/client.ts';
import type { Attachment } from './attachment.ts';

const IMAGE_TYPES = new Set(['image/png', 'image/jpeg', 'image/webp']);
/** Maximum alternative names for a file that exists. */
const MOST_NAMES = 9;

/** Throws ApiError. Without a session only images are accepted. */
export async function upload(file: File, sessionId: string | undefined): Promise<Partial<Attachment>> {
  if (IMAGE_TYPES.has(file.type) || !sessionId) return { image: await uploadImage(file) };
  const { path } = await uploadFile(file, sessionId);
  return { path: path };
}

async function uploadImage(file: File): Promise<ChatImageReference> {
  const dataUrl = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
  return api.post('/chat-images', { body: { name: file.name || 'image', dataUrl } });
}

async function uploadFile(file: File, sessionId: string): Promise<{ path: string }> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await api.post('/sessions/{sessionId}/chat-files', {
        path: { sessionId },
        headers: { 'x-svc-file-name': nameFor(file.name, attempt) },
        body: file,
      });
    } catch (error) {
      const isTaken = error instanceof ApiError && error.code === 'FILE_EXISTS';
      if (!isTaken || attempt === MOST_NAMES) throw error;
    }
  }
}

/** `data.csv`, then `data-2.csv`. */
function nameFor(name: string, attempt: number): string {
  if (attempt === 1) return name;
  const dot = name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)}-${attempt}${name.slice(dot)}` : `${name}-${attempt}`;
}
