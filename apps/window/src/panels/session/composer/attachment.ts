import type { ChatImageReference } from '@fucina/conversation';

/** An image of the message, or a file for the session's folder. */
export interface Attachment {
  id: number;
  name: string;
  state: 'sending' | 'ready' | 'failed';
  image?: ChatImageReference;
  /** For a file: its path in the session's folder. */
  path?: string;
  error?: unknown;
}
