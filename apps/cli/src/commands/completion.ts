import type { Command, Option } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** One position in a command line: the commands before it, and what may follow. */
interface Place {
  /** Separated by spaces; empty for the program itself. */
  path: string;
  commands: readonly Command[];
  options: readonly Option[];
}

/** The completion script of a shell, generated from the program; undefined for an unknown shell. */
export function completionScript(program: Command, shell: string): string | undefined {
  const places = placesOf(program, []);
  switch (shell) {
    case 'bash':
      return bashScript(places);
    case 'zsh':
      return zshScript(places);
    case 'fish':
      return fishScript(places);
    default:
      return undefined;
  }
}

function placesOf(command: Command, path: readonly string[]): Place[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const own = { path: path.join(' '), commands, options: help.visibleOptions(command) };
  return [own, ...commands.flatMap((one) => placesOf(one, [...path, one.name()]))];
}

function wordsOf({ commands, options }: Place): string[] {
  return [...commands.map((command) => command.name()), ...options.flatMap(flagsOf)];
}

function flagsOf({ long, short }: Option): string[] {
  return [long, short].filter((flag) => flag !== undefined && flag !== null);
}

/** Possible values of an option: one of these words, or else a file. */
function valued(places: readonly Place[]): { flags: string[]; choices: readonly string[] }[] {
  const byFlags = new Map<string, { flags: string[]; choices: readonly string[] }>();
  for (const option of places.flatMap(({ options }) => options)) {
    if (option.required) byFlags.set(option.flags, { flags: flagsOf(option), choices: option.argChoices ?? [] });
  }
  return [...byFlags.values()];
}

/** The commands typed so far determine the position; a flag's value is not a command. */
const BASH_WALK = `  local path="" word skip=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [ -n "$skip" ]; then skip=""; continue; fi
    case " $valued " in *" $word "*) skip=1; continue ;; esac
    case "$word" in -*) continue ;; esac
    case " $paths " in *" \${path:+$path/}$word "*) path="\${path:+$path/}$word" ;; esac
  done`;

function bashScript(places: readonly Place[]): string {
  const values = valued(places);
  const choices = values.filter((value) => value.choices.length > 0);
  return `_fucina() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local valued="${values.flatMap(({ flags }) => flags).join(' ')}"
  local paths="${pathsOf(places).join(' ')}"
  COMPREPLY=()
  case "$previous" in
${choices.map((one) => `    ${one.flags.join('|')}) COMPREPLY=($(compgen -W "${one.choices.join(' ')}" -- "$current")); return ;;`).join('\n')}
  esac
  case " $valued " in *" $previous "*) COMPREPLY=($(compgen -f -- "$current")); return ;; esac
${BASH_WALK}
  case "$path" in
${places.map((place) => `    "${slashed(place)}") COMPREPLY=($(compgen -W "${wordsOf(place).join(' ')}" -- "$current")) ;;`).join('\n')}
  esac
}
complete -o bashdefault -F _fucina fucina`;
}

function slashed({ path }: Place): string {
  return path.replaceAll(' ', '/');
}

function pathsOf(places: readonly Place[]): string[] {
  return places.map(slashed).filter(Boolean);
}

function zshScript(places: readonly Place[]): string {
  const values = valued(places);
  const choices = values.filter((value) => value.choices.length > 0);
  return `_fucina() {
  local place= word= skip=
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}"
  local valued=" ${values.flatMap(({ flags }) => flags).join(' ')} "
  local places=" ${pathsOf(places).join(' ')} "
  case "$previous" in
${choices.map((one) => `    (${one.flags.join('|')}) compadd -- ${one.choices.join(' ')}; return ;;`).join('\n')}
  esac
  if [[ "$valued" == *" $previous "* ]]; then _files; return; fi
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n "$skip" ]]; then skip=; continue; fi
    if [[ "$valued" == *" $word "* ]]; then skip=1; continue; fi
    if [[ "$word" == -* ]]; then continue; fi
    if [[ "$places" == *" \${place:+$place/}$word "* ]]; then place="\${place:+$place/}$word"; fi
  done
  case "$place" in
${places.map((place) => `    ("${slashed(place)}") compadd -- ${wordsOf(place).join(' ')} ;;`).join('\n')}
  esac
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _fucina fucina`;
}

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap((place) => fishLines(place, places));
  return ['complete -c fucina -f', ...lines].join('\n');
}

function fishLines(place: Place, places: readonly Place[]): string[] {
  const typed = place.path === '' ? [] : place.path.split(' ');
  const below = place.commands.map((command) => command.name());
  const seen = typed.map((word) => `__fish_seen_subcommand_from ${word}`);
  const top = places[0]?.commands.map((command) => command.name()) ?? [];
  const unseen = typed.length === 0 ? top : below;
  const not = unseen.length > 0 ? [`not __fish_seen_subcommand_from ${unseen.join(' ')}`] : [];
  const when = [...seen, ...not].join('; and ');
  const condition = when ? ` -n '${when}'` : '';
  return [
    ...place.commands.map((one) => `complete -c fucina${condition} -a ${one.name()} -d ${quote(one.description())}`),
    ...place.options.map((option) => `complete -c fucina${condition} ${fishOption(option)}`),
  ];
}

function fishOption({ long, short, required, argChoices, description }: Option): string {
  const names = [long && `-l ${long.slice(2)}`, short && `-s ${short.slice(1)}`].filter(Boolean).join(' ');
  const value = required ? (argChoices ? ` -x -a '${argChoices.join(' ')}'` : ' -r -F') : '';
  return `${names}${value} -d ${quote(description)}`;
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
