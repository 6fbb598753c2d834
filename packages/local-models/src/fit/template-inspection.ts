import { loadLibrary } from '../library/engine-library.ts';
import type { ModelHeader } from './header.ts';

const SYSTEM = 'a-word-of-the-system';
const QUESTION = 'a-word-of-the-user';
const TOOL = 'name_of_a_tool';
const RESULT = 'result-of-the-tool';

/**
 * The features of a chat template, found by rendering a conversation with the engine's own renderer. Null when that
 * fails. A template is an untrusted program, so run this in a bounded thread. `library`: the engine's URL.
 */
export async function inspectTemplate(template: string, library: string): Promise<ModelHeader['template']> {
  try {
    const { JinjaTemplateChatWrapper } = await loadLibrary(library);
    const wrapper = new JinjaTemplateChatWrapper({ template });
    const write = (withCall: boolean): { text: string; isSystemMoved: boolean } => {
      const call = { type: 'functionCall', name: TOOL, params: {}, result: RESULT } as const;
      const { contextText, transformedSystemMessagesToUserMessages } = wrapper.generateContextState({
        chatHistory: [
          { type: 'system', text: SYSTEM },
          { type: 'user', text: QUESTION },
          { type: 'model', response: withCall ? [call] : [] },
        ],
        availableFunctions: { [TOOL]: { description: 'A tool.' } },
        documentFunctionParams: true,
      });
      return { text: contextText.toString(), isSystemMoved: transformedSystemMessagesToUserMessages };
    };
    const plain = write(false);
    const called = write(true);
    if (!plain.text.includes(QUESTION)) return null;
    return {
      tools: plain.text.includes(TOOL),
      toolCalls: called.text.includes(RESULT),
      systemRole: plain.text.includes(SYSTEM) && !plain.isSystemMoved,
    };
  } catch {
    // After any error of a template its features are unknown.
    return null;
  }
}
