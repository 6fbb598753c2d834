/** Formats that are what they are given, with their ending; the name for the model and the user. */
const SOURCES = {
  js: 'JavaScript',
  mjs: 'JavaScript',
  cjs: 'JavaScript',
  jsx: 'JavaScript',
  ts: 'TypeScript',
  tsx: 'TypeScript',
  py: 'Python',
  rb: 'Ruby',
  go: 'Go',
  rs: 'Rust',
  java: 'Java',
  kt: 'Kotlin',
  scala: 'Scala',
  swift: 'Swift',
  c: 'C',
  h: 'C',
  cpp: 'C++',
  hpp: 'C++',
  cs: 'C#',
  php: 'PHP',
  pl: 'Perl',
  r: 'R',
  lua: 'Lua',
  dart: 'Dart',
  sh: 'shell',
  ps1: 'PowerShell',
  sql: 'SQL',
  css: 'CSS',
  scss: 'SCSS',
  vue: 'Vue',
  svelte: 'Svelte',
  yaml: 'YAML',
  yml: 'YAML',
  toml: 'TOML',
  ini: 'INI',
  tex: 'LaTeX',
} as const;

const DOCUMENTS = {
  md: 'Markdown',
  txt: 'text',
  csv: 'CSV',
  json: 'JSON',
  xml: 'XML',
  html: 'HTML page',
  docx: 'Word document',
  xlsx: 'Excel workbook',
  pptx: 'PowerPoint presentation',
  pdf: 'PDF document',
} as const;

export type SourceFormat = keyof typeof SOURCES;
export type DocumentFormat = keyof typeof DOCUMENTS | SourceFormat;
/** Formats a library makes, in a worker. */
export type RichFormat = 'html' | 'docx' | 'xlsx' | 'pptx' | 'pdf' | 'md' | 'csv';

export const FORMATS = [...Object.keys(DOCUMENTS), ...Object.keys(SOURCES)] as [DocumentFormat, ...DocumentFormat[]];

export function formatName(format: DocumentFormat): string {
  return { ...DOCUMENTS, ...SOURCES }[format];
}

/** Formats whose bytes are not text. */
export function isBinary(format: DocumentFormat): boolean {
  return format === 'docx' || format === 'xlsx' || format === 'pptx' || format === 'pdf';
}
