import type { Ambient, Environment } from '@fucina/shared';

export interface ToolsNeeds {
  ambient: Ambient;
  /** The server's own environment; commands get its harmless part. */
  environment: Environment;
}
