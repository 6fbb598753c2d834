/** The arguments of our own tools first, then the usual ones of other tools. */
const SUBJECTS = [
  'comando',
  'percorso',
  'testo',
  'nome',
  'url',
  'query',
  'question',
  'task',
  'title',
  'titolo',
  'prompt',
  'name',
  'reference',
  'id',
  'action',
];

/** The subject of a call: the command, the path, the search text; empty if there is none. As the model wrote it. */
export function callSubject(args: Readonly<Record<string, unknown>>): string {
  for (const name of SUBJECTS) {
    const value = args[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}
