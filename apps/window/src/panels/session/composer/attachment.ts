import type { ChatImageReference } from '@fucina/conversation';

/** A picture of the message, or a file handed to the session's folder. */
export interface Attachment {
  id: number;
  name: string;
  state: 'sending' | 'ready' | 'failed';
  image?: ChatImageReference;
  /** Of a file, inside the session's folder. */
  path?: string;
  error?: unknown;
}
