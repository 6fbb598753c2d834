/** Our tools' own arguments first, then what tools of others usually have. */
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

/** What a call is about: the command, the path, the words looked for; empty where nothing says. As the model wrote it. */
export function callSubject(args: Readonly<Record<string, unknown>>): string {
  for (const name of SUBJECTS) {
    const value = args[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}
