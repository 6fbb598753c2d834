import { createHash } from 'node:crypto';

/** UUID version 8 of the SHA-256 of both: the same tool call of the same session always gives the same workflow id. */
export function workflowIdOf(sessionId: string, toolCallId: string): string {
  const bytes = createHash('sha256').update(`${sessionId}\n${toolCallId}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
