const DEFAULT_NAMES = ['scripted-1', 'scripted-2'];

/** The list of models in the form of the path: Ollama, LM Studio, Qwen, Gemini, else the OpenAI and Anthropic one. */
export function modelList(
  path: string,
  { models: names = DEFAULT_NAMES, modelFacts }: { models?: readonly string[]; modelFacts?: object },
): Record<string, unknown> {
  if (path.includes('/api/tags')) {
    return {
      models: names.map((name) => ({ name, model: name, size: 1_000_000, details: { quantization_level: 'Q4_K_M' } })),
    };
  }
  if (path.includes('/api/v1/models')) {
    const models = names.map((name) => ({
      key: name,
      model: name,
      type: 'llm',
      display_name: name,
      max_context_length: 8192,
      capabilities: { vision: false, trained_for_tool_use: true },
      quantization: { name: 'Q4_K_M' },
    }));
    return { models, output: { models } };
  }
  if (path.includes('v1beta')) {
    const models = names.map((name) => ({
      name: `models/${name}`,
      displayName: name,
      inputTokenLimit: 8192,
      supportedGenerationMethods: ['generateContent'],
    }));
    return { models };
  }
  const data = names.map((id) => ({
    id,
    object: 'model',
    type: 'model',
    display_name: id,
    created: 1_767_225_600,
    owned_by: 'scripted',
    ...modelFacts,
  }));
  return { object: 'list', data, has_more: false };
}
