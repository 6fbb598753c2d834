import type { ModelProfile, StatedTokens } from '@fucina/host';
import { cleanLine } from '../clean-text.ts';
import type { CommonFlags } from '../command-facts.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { withHost } from '../open-host.ts';
import { columns } from '../table.ts';
import type { Terminal } from '../terminal.ts';

const NAME_WIDTH = 240;

/** What a model gets by default, and where that was stated. */
export async function showModel(flags: CommonFlags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, out, style } = terminal;
  const profile = await withHost(io, flags, ({ services }) => services.providers.profile(id));
  if (flags.json) {
    out(JSON.stringify({ profile }));
    return EXIT.done;
  }
  out(style.bold(cleanLine(profile.model, NAME_WIDTH)));
  const facts = factsOf(profile, terminal);
  for (const line of columns(facts.map(([name, fact]) => [{ text: name, paint: style.muted }, { text: fact }])))
    out(line);
  return EXIT.done;
}

function factsOf(
  { window, outputLimit, dialect, effort }: ModelProfile,
  { say }: Terminal,
): [name: string, fact: string][] {
  const tokens = ({ tokens, from }: StatedTokens): string =>
    tokens === null || from === null
      ? say('model.unknown')
      : say('model.stated', { count: tokens, source: say(`model.from-${from}`) });
  const sent = effort.default ?? 'none-sent';
  return [
    [say('model.window'), tokens(window)],
    [say('model.output'), tokens(outputLimit)],
    [say('model.dialect'), `${dialect.name} (${say(`model.dialect-${dialect.from}`)})`],
    [say('model.effort'), say(`model.effort-${sent}`)],
    [say('model.levels'), effort.levels.length > 0 ? effort.levels.join(', ') : say('model.no-levels')],
  ];
}
