import { modelIdOf, type Providers } from '@fucina/providers';
import { AppError, isAppError } from '@fucina/shared';

/** The model of a session that names none. Throws MODEL_ID_INVALID without a default. */
export type DefaultModel = () => Promise<string>;

export interface DefaultModelNeeds {
  /** The server's own setting. */
  chosen: string | undefined;
  providers(): { catalog: Pick<Providers['catalog'], 'listAll'> };
}

/** The server's setting, else the first model of the only ready provider. */
export function createDefaultModel({ chosen, providers }: DefaultModelNeeds): DefaultModel {
  return async () => {
    const model = chosen ?? (await onlyReadyModel(providers()));
    if (!model) throw new AppError('MODEL_ID_INVALID', { reason: 'no-default-model' });
    return model;
  };
}

/** Undefined when no provider or more than one is ready, or when the only one cannot be reached. */
async function onlyReadyModel({ catalog }: ReturnType<DefaultModelNeeds['providers']>): Promise<string | undefined> {
  const models = await catalog.listAll().then(
    (all) => all.models,
    (error: unknown) => {
      if (isAppError(error)) return [];
      throw error;
    },
  );
  const [first, ...others] = models;
  if (!first || others.some(({ provider }) => provider !== first.provider)) return undefined;
  return modelIdOf({ provider: first.provider, model: first.id });
}
