/** Removes credentials, absolute paths, names of secrets and long tokens from another program's output. */
export function redactText(text: string): string {
  return text
    .replace(/\b([a-z][a-z0-9+.-]*:\/\/)[^/\s@]+@/gi, '$1')
    .replace(/(?<![\w:/.])(?:[A-Za-z]:\\|\\\\|\/)[^\s"',;:)]+/g, '[path]')
    .replace(/\b[A-Z][A-Z0-9]*_[A-Z0-9_]*(KEY|TOKEN|SECRET|PASSWORD)\b/g, '[name]')
    .replace(/\b(?:sk|pk|key|ghp|gho|xox[bp])[-_][\w-]{8,}/gi, '[secret]')
    .replace(/\b(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{40,}\b/g, '[secret]');
}
