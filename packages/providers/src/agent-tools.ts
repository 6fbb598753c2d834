import type { Tool } from '@fucina/shared';
import { createImageTool } from './images/image-tool.ts';
import { createPictureMaker, type PictureMakerNeeds } from './images/picture-maker.ts';
import type { Search } from './search/search.ts';
import { createWebSearchTool } from './search/web-search-tool.ts';

/** The agent tools of this package. Apart, since their schemas are slow to load and most starts offer no tool. */
export function createAgentTools({ search, ...needs }: PictureMakerNeeds & { search: Search }): Tool[] {
  return [createWebSearchTool(search), createImageTool(createPictureMaker(needs))];
}
