import type { ChatImageReference } from '@fucina/conversation';

/** A text that becomes an attachment, when it has been read. */
export interface LateFile {
  name: string;
  read: () => Promise<string>;
}

/** An image of the message, or a file for the session's folder. */
export interface Attachment {
  id: number;
  name: string;
  state: 'sending' | 'ready' | 'failed';
  image?: ChatImageReference;
  /** For a file: its path in the session's folder. */
  path?: string;
  error?: unknown;
  /** A pasted text, which can be put into the message instead. */
  text?: string;
}
