import { textStart } from '@fucina/shared';
/** What the user should notice in a plugin's text before trusting it. Shown, never blocking. */
export type PluginWarning = 'delete-root' | 'download-and-run' | 'send-credentials' | 'reverse-shell';

const PATTERNS: Readonly<Record<PluginWarning, readonly RegExp[]>> = {
  'delete-root': [
    /\brm\s+(-[a-z]*\s+)*-[a-z]*[rf][a-z]*\s+(-[a-z]*\s+)*["']?(\/|~|\$HOME)["']?(\s|\*|$)/i,
    /\brm(Sync)?\s*\(\s*['"`](\/|~)['"`]/,
    /\bformat\s+[a-z]:|\brd\s+\/s\b.*[a-z]:\\/i,
  ],
  'download-and-run': [
    /\b(curl|wget)\b[^|\n;]{0,400}\|\s*(sudo\s+)?(ba|z|da)?sh\b/i,
    /\b(iex|invoke-expression)\b.{0,200}\b(downloadstring|invoke-webrequest|iwr|irm)\b/i,
    /\b(eval|exec)\b[^\n]{0,60}\b(curl|wget|fetch)\b/i,
  ],
  'send-credentials': [
    /\b(curl|wget|fetch|http\.request|nc)\b[^\n]{0,300}(\.ssh\/|id_rsa|\.aws\/credentials|\.netrc|\.npmrc|API_?KEY|TOKEN|PASSWORD|SECRET)/i,
    /(\.ssh\/|id_rsa|\.aws\/credentials|\.netrc|process\.env)[^\n]{0,300}\b(curl|wget|fetch\(|http\.request|nc\s)/i,
  ],
  'reverse-shell': [
    /\/dev\/tcp\//,
    /\bnc\b[^\n]{0,80}\s-[a-z]*e\b/i,
    /\b(ba)?sh\s+-i\b[^\n]{0,60}>&/,
    /\bsocket\b[^\n]{0,200}\b(dup2|spawn)\b/i,
  ],
};

const MAX_TEXT = 64 * 1024;

export function warningsIn(text: string): PluginWarning[] {
  const looked = textStart(text, MAX_TEXT);
  return (Object.keys(PATTERNS) as PluginWarning[]).filter((warning) =>
    PATTERNS[warning].some((pattern) => pattern.test(looked)),
  );
}
