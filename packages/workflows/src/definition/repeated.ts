/** Finds repeated ids without holding a million strings: compares hashes first, texts only for equal hashes. */
export function repeated(total: number, ids: () => Iterable<string>): readonly string[] {
  const hashes = new Float64Array(total);
  let at = 0;
  for (const id of ids()) {
    hashes[at] = hashOf53(id);
    at += 1;
  }
  hashes.sort();
  const alike = new Set<number>();
  for (let position = 1; position < total; position += 1) {
    if (hashes[position] === hashes[position - 1]) alike.add(hashes[position] as number);
  }
  if (alike.size === 0) return [];
  const seen = new Set<string>();
  const found = new Set<string>();
  for (const id of ids()) {
    if (!alike.has(hashOf53(id))) continue;
    if (seen.has(id)) found.add(id);
    seen.add(id);
  }
  return [...found];
}

/** 53 bits: the largest integer that JavaScript represents exactly. */
function hashOf53(text: string): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return 4294967296 * (2097151 & low) + (high >>> 0);
}
