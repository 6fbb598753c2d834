import { type HubImage, type ImageNeeds, readHubImage } from './image.ts';
import { describeRepository, type HubRepository, type RepositoryNeeds } from './repository.ts';
import { type HubFound, type HubSearch, searchHub } from './search.ts';

/**
 * The public hub for models. Every function: HUB_HUB_INVALID, HUB_HUB_UPSTREAM, HUB_HUB_RESPONSE_INVALID,
 * HUB_REPOSITORY_GATED, HUB_RATE_LIMITED, HUB_REDIRECT_INVALID, HUB_REDIRECT_HOST_REJECTED; images have their own
 * codes.
 */
export interface Hub {
  search(asked: HubSearch, signal?: AbortSignal): Promise<HubFound>;
  /** Also HUB_RESOLVE_INVALID for a file without a size or a checksum. */
  repository(asked: { repo: string; revision?: string | undefined }, signal?: AbortSignal): Promise<HubRepository>;
  /** HUB_IMAGE_*. */
  image(url: string, signal?: AbortSignal): Promise<HubImage>;
}

export type HubNeeds = RepositoryNeeds & ImageNeeds;

export function createHub(needs: HubNeeds): Hub {
  return {
    search: (asked, signal) => searchHub(needs.http, asked, signal),
    repository: (asked, signal) => describeRepository(needs, asked, signal),
    image: (url, signal) => readHubImage(needs, url, signal),
  };
}
