/**
 * The three cloud platforms have no fixed address: the user may enter a resource, a region, or a project with its
 * region instead. Undefined when the text is none of these.
 */
export function platformAddress(provider: string, text: string): string | undefined {
  const words = text.trim();
  return FORMS[provider]?.(words);
}

const FORMS: Record<string, (text: string) => string | undefined> = {
  azure: (text) => (/^[a-z0-9][a-z0-9-]{1,62}$/i.test(text) ? azureResource(text.toLowerCase()) : undefined),
  bedrock: (text) => (REGION.test(text) ? `https://bedrock-mantle.${text}.api.aws/v1` : undefined),
  vertex(text) {
    const [, project, region] = /^([a-z][a-z0-9.:-]{4,62}[a-z0-9])[/ ]+([a-z0-9-]{2,40})$/.exec(text) ?? [];
    return project && region ? vertexProject(project, region) : undefined;
  },
};

const REGION = /^[a-z]{2,3}(-[a-z]+){1,2}-\d{1,2}$/;

const azureResource = (name: string): string => `https://${name}.openai.azure.com/openai/v1`;

function vertexProject(project: string, region: string): string {
  const host = region === 'global' ? 'aiplatform.googleapis.com' : `${region}-aiplatform.googleapis.com`;
  return `https://${host}/v1/projects/${project}/locations/${region}/endpoints/openapi`;
}

/** The resource's address in the portal lacks the path of the interface. */
export function withPlatformPath(provider: string, url: URL): string {
  const isBare = url.pathname.replace(/\/+$/, '') === '';
  const isAzure = /\.(openai|services\.ai|cognitiveservices)\.azure\.com$/.test(url.hostname);
  if (provider === 'azure' && isBare && isAzure) return `${url.origin}/openai/v1`;
  return url.href;
}
