import { useSyncExternalStore } from 'react';
import { now, readStored, removeStored, storedNames, writeStored } from '../../ambient.ts';
import type { LineAnchor, ReviewComment } from './review-comment.ts';

/** Sessions with stored comments; the least recently changed are dropped first. */
const MOST_REVIEWS = 50;
const PREFIX = 'review.';

interface Review {
  comments: readonly ReviewComment[];
  /** Deleted last; they can be restored until the page is closed. */
  removed: readonly ReviewComment[];
  /** Whether the browser's storage accepted them. */
  isStored: boolean;
}

interface StoredReview {
  comments: ReviewComment[];
  at: number;
}

const isStoredReview = (value: unknown): value is StoredReview =>
  typeof value === 'object' && value !== null && 'comments' in value && Array.isArray(value.comments);

/** Unsent comments on lines, by session; also in the browser's storage, like drafts. */
const reviews = new Map<string, Review>();
const listeners = new Set<() => void>();
let count = 0;

function announce(): void {
  for (const listener of listeners) listener();
}

function reviewOf(sessionId: string): Review {
  let review = reviews.get(sessionId);
  if (!review) {
    const stored = readStored(PREFIX + sessionId, isStoredReview)?.comments ?? [];
    // An editor that was left empty is not restored.
    review = { comments: stored.filter(({ text, draft }) => text !== '' || draft), removed: [], isStored: true };
    reviews.set(sessionId, review);
  }
  return review;
}

const ageOf = (key: string): number => readStored(key, isStoredReview)?.at ?? 0;

function dropOldest(key: string): void {
  const others = storedNames(PREFIX).filter((other) => other !== key);
  others.sort((one, other) => ageOf(other) - ageOf(one));
  for (const old of others.slice(MOST_REVIEWS - 1)) removeStored(old);
}

function store(sessionId: string, comments: readonly ReviewComment[]): boolean {
  const key = PREFIX + sessionId;
  if (comments.length === 0) {
    removeStored(key);
    return true;
  }
  dropOldest(key);
  return writeStored(key, { comments, at: now() });
}

function change(sessionId: string, review: Partial<Omit<Review, 'isStored'>>): void {
  const next = { ...reviewOf(sessionId), ...review };
  reviews.set(sessionId, { ...next, isStored: store(sessionId, next.comments) });
  announce();
}

function changeOne(sessionId: string, id: string, fields: Partial<ReviewComment>): void {
  const comments = reviewOf(sessionId).comments.map((comment) =>
    comment.id === id ? { ...comment, ...fields } : comment,
  );
  change(sessionId, { comments });
}

/** Another tab changed what is stored. */
function follow({ key }: StorageEvent): void {
  const [, sessionId] = key?.split(`fucina.${PREFIX}`) ?? [];
  if (!sessionId || !reviews.delete(sessionId)) return;
  announce();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener('storage', follow);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) removeEventListener('storage', follow);
  };
}

export const useReview = (sessionId: string): Review => useSyncExternalStore(subscribe, () => reviewOf(sessionId));

/** Opens an editor on a line; answers the id of the new comment. */
export function startComment(sessionId: string, view: ReviewComment['view'], anchor: LineAnchor): string {
  count += 1;
  const id = `${now()}-${count}`;
  const comments = [...reviewOf(sessionId).comments, { ...anchor, id, view, text: '', draft: '' }];
  change(sessionId, { comments });
  return id;
}

export const editComment = (sessionId: string, { id, text }: ReviewComment): void =>
  changeOne(sessionId, id, { draft: text });

/** Stored at every keystroke to survive a reload. Only the editor shows it, so nothing else is rendered. */
export function draftComment(sessionId: string, id: string, draft: string): void {
  const review = reviewOf(sessionId);
  const comments = review.comments.map((comment) => (comment.id === id ? { ...comment, draft } : comment));
  reviews.set(sessionId, { ...review, comments });
  store(sessionId, comments);
}

export function saveComment(sessionId: string, id: string, text: string): void {
  changeOne(sessionId, id, { text: text.trim(), draft: undefined });
}

/** Closes the editor, and deletes a comment that was never added. */
export function cancelComment(sessionId: string, { id, text }: ReviewComment): void {
  if (text !== '') return changeOne(sessionId, id, { draft: undefined });
  change(sessionId, { comments: reviewOf(sessionId).comments.filter((comment) => comment.id !== id) });
}

export function removeComments(sessionId: string, ids: readonly string[]): void {
  const { comments } = reviewOf(sessionId);
  change(sessionId, {
    comments: comments.filter(({ id }) => !ids.includes(id)),
    removed: comments.filter(({ id, text }) => ids.includes(id) && text !== ''),
  });
}

export function restoreComments(sessionId: string): void {
  const { comments, removed } = reviewOf(sessionId);
  change(sessionId, { comments: [...comments, ...removed], removed: [] });
}

export const forgetRemoved = (sessionId: string): void => change(sessionId, { removed: [] });

/** Deletes comments that the server accepted, unless they were changed in the meantime. */
export function forgetSent(sessionId: string, sent: readonly ReviewComment[]): void {
  const isSent = ({ id, text, draft }: ReviewComment) =>
    draft === undefined && sent.some((one) => one.id === id && one.text === text);
  change(sessionId, { comments: reviewOf(sessionId).comments.filter((comment) => !isSent(comment)), removed: [] });
}

/** Added and not being edited. */
export const isReady = ({ text, draft }: ReviewComment): boolean => text !== '' && draft === undefined;
