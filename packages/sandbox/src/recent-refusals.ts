import { isIP } from 'node:net';
import type { BlockedPath } from './blocked-paths.ts';
import type { RefusalReason } from './network/policy.ts';
import type { RecentRefusal } from './network/session-network.ts';

/** A blocked access, for the user's review. */
export interface SandboxRefusalRecord {
  kind: 'network' | 'read' | 'write';
  /** `host:port`, or a path. */
  subject: string;
  reason: RefusalReason | 'hidden' | 'read-only';
  /** The rule that would allow it; null if none can. */
  rule: string | null;
  sessionId: string;
  /** Absolute real path of the session's folder. */
  folder: string;
  /** Wall time. */
  at: number;
}

const MAX_REFUSALS = 100;

/** Newest first, each subject once per project. */
export function recentRefusals(
  network: readonly RecentRefusal[],
  paths: readonly BlockedPath[],
): readonly SandboxRefusalRecord[] {
  const hosts = network.map((one): SandboxRefusalRecord => {
    const { host, port, reason, sessionId, folder, at } = one;
    const literal = isIP(host) === 6 ? `[${host}]` : host;
    return {
      kind: 'network',
      subject: `${literal}:${port}`,
      reason,
      rule: ruleFor(literal, port, reason),
      sessionId,
      folder,
      at,
    };
  });
  const files = paths.map(({ kind, path, rule, sessionId, folder, at }): SandboxRefusalRecord => {
    return { kind, subject: path, reason: kind === 'read' ? 'hidden' : 'read-only', rule, sessionId, folder, at };
  });
  const newest = new Map<string, SandboxRefusalRecord>();
  for (const one of [...hosts, ...files].sort((a, b) => b.at - a.at)) {
    const key = [one.kind, one.subject, one.folder].join(' ');
    if (!newest.has(key)) newest.set(key, one);
  }
  return [...newest.values()].slice(0, MAX_REFUSALS);
}

function ruleFor(literal: string, port: number, reason: RefusalReason): string | null {
  if (reason === 'not-allowed') return `Network(${literal})`;
  return reason === 'private' ? `Network(${literal}:${port})` : null;
}
