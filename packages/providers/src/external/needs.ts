import type { Ambient, Environment } from '@fucina/shared';

export interface ExternalAgentsNeeds {
  ambient: Ambient;
  environment: Environment;
}
