/** A value of a property list of macOS. */
export type PlistValue = string | boolean | readonly PlistValue[] | { readonly [key: string]: PlistValue };

/** A property list in XML, as launchd reads it. */
export function plistText(entries: Readonly<Record<string, PlistValue>>): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
${xml(entries, '')}
</plist>
`;
}

function xml(value: PlistValue, indent: string): string {
  if (typeof value === 'string') return `${indent}<string>${escaped(value)}</string>`;
  if (typeof value === 'boolean') return `${indent}<${value}/>`;
  const inner = `${indent}  `;
  if (isList(value)) return `${indent}<array>\n${value.map((item) => xml(item, inner)).join('\n')}\n${indent}</array>`;
  const pairs = Object.entries(value).map(([key, item]) => `${inner}<key>${escaped(key)}</key>\n${xml(item, inner)}`);
  return `${indent}<dict>\n${pairs.join('\n')}\n${indent}</dict>`;
}

function isList(value: PlistValue): value is readonly PlistValue[] {
  return Array.isArray(value);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
