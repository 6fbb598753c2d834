export { createPageReader, PageError, type PageReader, type ReadPage } from './page-reader.ts';
export { createReadPageTool } from './read-page-tool.ts';
