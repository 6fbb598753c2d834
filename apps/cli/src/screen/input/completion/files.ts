import type { Services } from '@fucina/host';
import type { Candidate } from './candidate.ts';
import { ranked } from './fuzzy.ts';

const MOST = 50;

/** Files and folders of the project by a part of their path; a path that ends in / lists the folder. */
export async function fileCandidates(
  query: string,
  { services, dir }: { services: Services; dir: string },
): Promise<Candidate[]> {
  const { tree } = services.files;
  const cut = query.lastIndexOf('/') + 1;
  const [folder, name] = [query.slice(0, cut), query.slice(cut)];
  if (name === '') {
    const entries = await tree.list(dir, folder.slice(0, -1)).catch(() => []);
    return entries.slice(0, MOST).map((entry) => candidateOf(folder + entry.name, entry.isFolder));
  }
  const { hits } = await tree.search(dir, name);
  const paths = hits.map(({ path, isFolder }) => ({ path, isFolder }));
  return ranked(query, paths, ({ path }) => path)
    .slice(0, MOST)
    .map(({ path, isFolder }) => candidateOf(path, isFolder));
}

function candidateOf(path: string, isFolder: boolean): Candidate {
  const label = isFolder ? `${path.replace(/\/$/, '')}/` : path;
  const mark = /\s/.test(label) ? `@"${label}"` : `@${label}`;
  // After a folder the path continues; after a file it is complete.
  return { label, text: isFolder ? mark.replace(/"$/, '') : `${mark} ` };
}
