import { cleanText } from '@fucina/conversation/clean-text';

/** Text of a model, a file or another program: characters in it cannot make it, or what is beside it, read differently. */
export function CleanText({ text }: { text: string }) {
  return <bdi>{cleanText(text)}</bdi>;
}
