import { isAppError, type OutboundHttp } from '@fucina/shared';
import type { Access } from '../connection/access.ts';
import type { Address } from '../connection/runtime.ts';
import type { ProviderRecord } from '../table/record.ts';
import { providerOf } from '../table/registry.ts';
import { generateImage, IMAGE_PROVIDERS, type ImageShape, type Picture } from './image-providers.ts';

/** Generates images with the first provider that supports it and has a key. */
export interface ImageGenerator {
  /** The provider's name, or undefined when none is available. */
  painter(): Promise<string | undefined>;
  /** Undefined without a provider. Throws PictureError; rejects with the signal's reason when aborted. */
  make(request: { prompt: string; shape: ImageShape; signal: AbortSignal }): Promise<Picture | undefined>;
}

export interface ImageGeneratorNeeds {
  http: OutboundHttp;
  address(record: ProviderRecord): Address;
  accessTo(record: ProviderRecord): Promise<Access>;
}

export function createImageGenerator({ http, address, accessTo }: ImageGeneratorNeeds): ImageGenerator {
  const find = async (): Promise<{ record: ProviderRecord; endpoint: string; access: Access } | undefined> => {
    for (const id of IMAGE_PROVIDERS) {
      const record = providerOf(id);
      const { endpoint } = address(record);
      const access = endpoint === null ? undefined : await accessTo(record);
      if (endpoint !== null && access?.key) return { record, endpoint, access };
    }
    return undefined;
  };
  const findOrNone = async () => {
    try {
      return await find();
    } catch (error) {
      // Neither keys nor addresses are readable: no provider is available.
      if (isAppError(error, 'PROVIDER_STORE_UNAVAILABLE')) return undefined;
      throw error;
    }
  };
  return {
    painter: async () => (await findOrNone())?.record.label,
    async make(request) {
      const found = await findOrNone();
      return found && generateImage({ http, ...found, ...request });
    },
  };
}
