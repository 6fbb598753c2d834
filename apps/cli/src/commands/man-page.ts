import { VERSION } from '@fucina/shared/version';
import type { Command, Option } from 'commander';

/** The manual page of the program, in troff, generated from the program. */
export function manPage(program: Command): string {
  const help = program.createHelp();
  return [
    `.TH FUCINA 1 "" "Fucina ${VERSION}" "User Commands"`,
    '.SH NAME',
    `fucina \\- ${text(firstSentence(program.description()))}`,
    '.SH SYNOPSIS',
    '.B fucina',
    text(`[options] [${program.registeredArguments.map((argument) => argument.name()).join(' ')}]`),
    '.br',
    '.B fucina',
    text('<command> [options]'),
    '.SH DESCRIPTION',
    text(program.description()),
    '.SH OPTIONS',
    ...help.visibleOptions(program).flatMap(optionLines),
    '.SH COMMANDS',
    ...help.visibleCommands(program).flatMap((command) => commandLines(command, [])),
    '.SH FILES',
    '.TP',
    '.I ~/.local/share/fucina',
    'Data, on Linux.',
  ].join('\n');
}

function firstSentence(description: string): string {
  return (description.split(/[.:\n]/)[0] ?? '').trim();
}

function commandLines(command: Command, above: readonly string[]): string[] {
  const help = command.createHelp();
  const path = [...above, command.name()];
  const names = command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
  const own = command.options.filter((option) => !option.hidden && !COMMON.has(option.long ?? ''));
  const below = help.visibleCommands(command);
  return [
    '.TP',
    `.B ${text([...path, ...names].join(' '))}`,
    text(command.description() || ' '),
    ...(own.length > 0 ? ['.RS', ...own.flatMap(optionLines), '.RE'] : []),
    ...below.flatMap((one) => commandLines(one, path)),
  ];
}

/** Every command has them. */
const COMMON = new Set(['--json', '--no-color', '--data-dir', '--key-store']);

function optionLines({ flags, description, argChoices }: Option): string[] {
  const choices = argChoices ? ` (${argChoices.join(', ')})` : '';
  return ['.TP', `.B ${text(flags)}`, text(`${description}${choices}` || ' ')];
}

/** A line of troff that shows exactly this: no request, no hyphen that cannot be copied. */
function text(line: string): string {
  return line
    .replaceAll('\n', ' ')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
}
