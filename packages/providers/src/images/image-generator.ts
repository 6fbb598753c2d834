import { isAppError, type OutboundHttp, type Secret } from '@fucina/shared';
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
  keyFor(record: ProviderRecord): Promise<Secret | undefined>;
}

export function createImageGenerator({ http, address, keyFor }: ImageGeneratorNeeds): ImageGenerator {
  const find = async (): Promise<{ record: ProviderRecord; endpoint: string; key: Secret } | undefined> => {
    for (const id of IMAGE_PROVIDERS) {
      const record = providerOf(id);
      const { endpoint } = address(record);
      const key = endpoint === null ? undefined : await keyFor(record);
      if (endpoint !== null && key) return { record, endpoint, key };
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
