const RECORD = /\n```svc-research-record\n[\s\S]*$/;
const REFERENCES = /\n#{1,3} [^\n]+\n+(?:\d+\. [^\n]*\n*)+$/;
/** Code and links are unchanged; numbers in brackets are citations. */
const CITED = /(```[\s\S]*?```|`[^`\n]*`|!?\[[^\]\n]*\]\([^)\n]*\))|\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]/g;

/**
 * The text of a report beside its sources: without the machine-readable record, the list of sources at its end, and a
 * repeated title. Citations link to `#source-n`.
 */
export function readableReport(report: string, { title, sources }: { title: string; sources: number }): string {
  let text = `${report.trim()}\n`.replace(RECORD, '\n');
  if (sources > 0) text = `${text.trimEnd()}\n`.replace(REFERENCES, '\n');
  const [first = '', ...rest] = text.trimStart().split('\n');
  if (first.replace(/^#\s+/, '') === title) text = rest.join('\n');
  return withCitations(text.trim(), sources);
}

function withCitations(text: string, sources: number): string {
  return text.replaceAll(CITED, (whole, kept: string | undefined, cited: string | undefined) => {
    if (kept !== undefined || cited === undefined) return whole;
    const numbers = cited.split(/[,;]/).map(Number);
    if (numbers.some((number) => number < 1 || number > sources)) return whole;
    return numbers.map((number) => `[\\[${number}\\]](#source-${number})`).join(' ');
  });
}

/** The host of an address; the text itself if it is not an address. */
export function hostOf(address: string): string {
  try {
    return new URL(address).host.replace(/^www\./, '');
  } catch {
    return address;
  }
}
