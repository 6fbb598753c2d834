import { cleanLine } from '../clean-text.ts';
import type { CommonFlags } from '../command-facts.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { choiceOf } from '../model-choice.ts';
import { withHost } from '../open-host.ts';
import { columns } from '../table.ts';
import type { Terminal } from '../terminal.ts';

const NAME_WIDTH = 80;

/** The available models, in the form that --model accepts. */
export async function models(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, out, style } = terminal;
  const catalog = await withHost(io, flags, ({ services }) => services.providers.catalog.listAll());
  const rows = catalog.models.map((model) => ({ model: choiceOf(model), ...model }));
  if (flags.json) {
    out(JSON.stringify({ models: rows }));
    return EXIT.done;
  }
  if (!rows.length) out(say('models.none'));
  const cells = rows.map(({ model, contextLength, capabilities }) => {
    const abilities = [
      ...(contextLength === null ? [] : [say('models.tokens', { count: contextLength })]),
      ...(capabilities.toolUse === 'observed-yes' ? [say('models.tools')] : []),
      ...(capabilities.vision === 'observed-yes' ? [say('models.images')] : []),
    ];
    return [{ text: cleanLine(model, NAME_WIDTH) }, { text: abilities.join(', '), paint: style.muted }];
  });
  for (const line of columns(cells)) out(line);
  return EXIT.done;
}
