export interface FileSymbol {
  name: string;
  /** From 1. */
  line: number;
}

const CODE = [
  // JavaScript, TypeScript, Java, C#, PHP, Kotlin, Swift
  /^\s*(?:(?:export|default|public|private|protected|internal|static|abstract|final|async|declare|open|override)\s+)*(?:function\*?|class|interface|enum|namespace|struct|trait|protocol|func|fun|record|object)\s+(?:\([^)]*\)\s*)?([\p{L}_$][\p{L}\p{N}_$]*)/u,
  // Top-level values and types
  /^(?:export\s+)?(?:const|let|var|type)\s+([\p{L}_$][\p{L}\p{N}_$]*)/u,
  // Python, Ruby
  /^\s*(?:async\s+)?(?:def|module)\s+(?:self\.)?([\p{L}_][\p{L}\p{N}_?!]*)/u,
  // Rust
  /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:async\s+|unsafe\s+|const\s+)*(?:fn|mod|impl|struct|enum|trait)\s+([\p{L}_][\p{L}\p{N}_]*)/u,
];
const HEADING = /^#{1,6}\s+(.+?)\s*#*$/;

/** What a file declares, by its lines: functions, classes, types and values, or the headings of a Markdown file. */
export function symbolsOf(text: string, path: string): FileSymbol[] {
  const patterns = /\.(md|mdx|markdown)$/i.test(path) ? [HEADING] : CODE;
  return text.split('\n').flatMap((line, at) => {
    const name = patterns.map((pattern) => pattern.exec(line)?.[1]).find((found) => found !== undefined);
    return name === undefined ? [] : [{ name, line: at + 1 }];
  });
}
