import { type Conversation, netChanges } from '@fucina/conversation';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue } from 'react';
import { useConversationFact } from '../../../session/use-session.tsx';
import { matches } from '../../../shell/pick-list.tsx';
import { ownSessions } from '../../../shell/use-message-search.ts';
import { api } from '../../../wire/client.ts';
import { fileQuery, treeQuery } from '../../../wire/folders.ts';
import { symbolsQuery } from '../../../wire/language.ts';
import { mcpSuggestionsQuery } from '../../../wire/mcp-suggestions.ts';
import { notesQuery } from '../../../wire/notes-tasks-memories.ts';
import { sessionsQuery } from '../../../wire/queries.ts';
import { useWords } from '../../../words/words.ts';
import { mentionOf } from '../../files/mention.ts';
import { nameOf, parentOf } from '../../files/paths.ts';
import { nameSearchQuery } from '../../files/queries.ts';
import type { LateFile } from './attachment.ts';
import { symbolsOf } from './symbols.ts';
import { readTranscript } from './transcript.ts';

export interface Candidate {
  id: string;
  kind: 'file' | 'folder' | 'symbol' | 'session' | 'note' | 'url' | 'resource';
  name: string;
  detail: string;
  /** Replaces the `@` and what follows it. */
  words: string;
  /** What Tab opens: `@` and a longer path. */
  opens?: string;
  /** Content that is sent with the message. */
  file?: LateFile;
}

const MOST_FILES = 20;
const MOST_OTHERS = 4;
const changesOf = (conversation: Conversation) => conversation.changes;

const fileCandidate = (path: string, isFolder: boolean): Candidate => ({
  id: path,
  kind: isFolder ? 'folder' : 'file',
  name: nameOf(path),
  detail: parentOf(path),
  words: `${mentionOf(path)} `,
  ...(isFolder && !/\s/.test(path) ? { opens: `@${path}/` } : {}),
});

/** Without a text: files changed by the session, then those of the folder. */
function useFiles(sessionId: string, asked: string): Candidate[] {
  const wanted = useDeferredValue(asked);
  const changes = useConversationFact(changesOf);
  const root = useQuery({ ...treeQuery('sessions', sessionId, ''), enabled: asked === '' });
  const found = useQuery({ ...nameSearchQuery(sessionId, wanted), enabled: wanted !== '' && !wanted.includes('#') });
  if (asked !== '') {
    // Until new results arrive, earlier matches that still fit are shown.
    const hits = (found.data?.results ?? []).filter(({ path }) => path.toLowerCase().includes(asked.toLowerCase()));
    return hits.slice(0, MOST_FILES).map(({ path, isFolder }) => fileCandidate(path, isFolder));
  }
  const changed = netChanges(changes).flatMap(({ path, after }) => (after === null ? [] : [path]));
  const first = changed.reverse().map((path) => fileCandidate(path, false));
  const rest = (root.data ?? []).map(({ name, isFolder }) => fileCandidate(name, isFolder));
  return [...first, ...rest.filter(({ id }) => !changed.includes(id))].slice(0, MOST_FILES);
}

/** After `@path#`: what the file declares. */
function useSymbols(sessionId: string, asked: string): Candidate[] {
  const [path = '', part] = asked.split('#');
  const file = useQuery({ ...fileQuery(sessionId, path), enabled: part !== undefined && path !== '', retry: false });
  if (part === undefined || !file.data?.content) return [];
  return symbolsOf(file.data.content, path)
    .filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()))
    .slice(0, MOST_FILES)
    .map(({ name, line }) => ({
      id: `${path}#${name}:${line}`,
      kind: 'symbol',
      name,
      detail: `${path}:${line}`,
      words: `${name} (${mentionOf(`${path}:${line}`)}) `,
    }));
}

/** After `@#`, or a name of three letters: declarations anywhere in the project. */
function useProjectSymbols(sessionId: string, asked: string): Candidate[] {
  const isOnly = asked.startsWith('#');
  const name = isOnly ? asked.slice(1) : asked;
  const isName = (isOnly ? /^[\p{L}_$][\p{L}\p{N}_$]+$/u : /^[\p{L}_$][\p{L}\p{N}_$]{2,}$/u).test(name);
  const wanted = useDeferredValue(name);
  const { data } = useQuery({ ...symbolsQuery(sessionId, wanted), enabled: isName });
  if (!isName) return [];
  return (data?.symbols ?? [])
    .filter((symbol) => symbol.name.toLowerCase().includes(name.toLowerCase()))
    .slice(0, isOnly ? MOST_FILES : MOST_OTHERS)
    .map(({ name, path, line }) => ({
      id: `${path}#${name}:${line}`,
      kind: 'symbol',
      name,
      detail: `${path}:${line}`,
      words: `${name} (${mentionOf(`${path}:${line}`)}) `,
    }));
}

/** A name that a file can have. */
const fileNameOf = (title: string): string =>
  `${
    title
      .replaceAll(/[^\p{L}\p{N} ._-]+/gu, ' ')
      .trim()
      .slice(0, 60) || 'text'
  }.md`;

function useSessions(sessionId: string, asked: string): Candidate[] {
  const { say } = useWords();
  const { data = [] } = useQuery(sessionsQuery);
  const others = ownSessions(data).filter((row) => row.sessionId !== sessionId && row.name && matches(row.name, asked));
  return others.slice(0, MOST_OTHERS).map((row) => {
    const name = row.name ?? '';
    const words = { user: say('mention.user'), agent: say('mention.agent') };
    return {
      id: row.sessionId,
      kind: 'session',
      name,
      detail: row.project ?? '',
      words: `“${name}” `,
      file: { name: fileNameOf(name), read: () => readTranscript(row.sessionId, words) },
    };
  });
}

function useNotes(asked: string): Candidate[] {
  const wanted = useDeferredValue(asked);
  const { data } = useQuery(notesQuery({ text: wanted, most: 20 }));
  const titled = (data?.rows ?? []).filter(({ title }) => matches(title, asked));
  return titled.slice(0, MOST_OTHERS).map(({ id, title }) => ({
    id,
    kind: 'note',
    name: title,
    detail: '',
    words: `“${title}” `,
    file: {
      name: fileNameOf(title),
      read: async () => (await api.get('/me/notes/{noteId}', { path: { noteId: id } })).note.content,
    },
  }));
}

const OF_SERVER = /^[A-Za-z0-9][\w.-]*:/;

/** MCP servers by name, and after `@server:` its resources. */
function useResources(sessionId: string, asked: string): Candidate[] {
  const isOpen = OF_SERVER.test(asked);
  const wanted = useDeferredValue(isOpen ? `@${asked}` : '@');
  const { data = [] } = useQuery({
    ...mcpSuggestionsQuery(sessionId, wanted),
    enabled: isOpen || /^[\w.-]*$/.test(asked),
  });
  return data
    .filter(({ text }) => isOpen || text.toLowerCase().startsWith(`@${asked.toLowerCase()}`))
    .slice(0, isOpen ? MOST_FILES : MOST_OTHERS)
    .map(({ text, name, detail, continues }) => ({
      id: text,
      kind: 'resource',
      name,
      detail: detail,
      words: continues ? text : `${text} `,
      ...(continues && { opens: text }),
    }));
}

/** What can be named after an `@`. */
export function useCandidates(sessionId: string, asked: string): Candidate[] {
  const files = useFiles(sessionId, asked);
  const symbols = useSymbols(sessionId, asked);
  const everywhere = useProjectSymbols(sessionId, asked);
  const sessions = useSessions(sessionId, asked);
  const notes = useNotes(asked);
  const resources = useResources(sessionId, asked);
  if (/^https?:\/\/[^\s/]+/i.test(asked)) {
    return [{ id: asked, kind: 'url', name: asked, detail: '', words: `${asked} ` }];
  }
  if (asked.includes('#')) return asked.startsWith('#') ? everywhere : symbols;
  if (OF_SERVER.test(asked) && resources.length > 0) return resources;
  return [...files, ...everywhere, ...sessions, ...notes, ...resources];
}
