import type { Tool } from '@fucina/shared';
import { createImageGenerator, type ImageGeneratorNeeds } from './images/image-generator.ts';
import { createImageTool } from './images/image-tool.ts';
import type { Search } from './search/search.ts';
import { createWebSearchTool } from './search/web-search-tool.ts';

/**
 * The agent tools of this package. A separate module, because their schemas are slow to load and most starts need no
 * tool.
 */
export function createAgentTools({ search, ...needs }: ImageGeneratorNeeds & { search: Search }): Tool[] {
  return [createWebSearchTool(search), createImageTool(createImageGenerator(needs))];
}
