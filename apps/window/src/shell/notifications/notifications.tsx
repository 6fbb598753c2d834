import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { clockTime } from '../../ambient.ts';
import { sessionsQuery } from '../../wire/queries.ts';
import { useWords } from '../../words/words.ts';
import { alertPermission, playChime, showAlert } from './alerts.ts';
import { type Attention, attentionSince, type SeenSessions, seenOf } from './attention.ts';
import { isAnyTabInSight, isInSight, reportInSight, reportOutOfSight } from './in-sight.ts';
import {
  isQuietAt,
  type NotificationSettings,
  notificationSettings,
  useNotificationSettings,
} from './notification-settings.ts';

/** Only one of several background tabs shows notifications: the holder of this lock. */
const LOCK = 'fucina.notifications';

/** Shows a notification for each session that waits, finishes or fails while the window is not visible. */
export function Notifications() {
  const { isOn } = useNotificationSettings();
  return isOn && <Watch />;
}

function Watch() {
  const { say } = useWords();
  const navigate = useNavigate();
  const isChosen = useChosenTab();
  const seen = useRef<SeenSessions>(undefined);
  const { data: rows } = useQuery(sessionsQuery);
  useReadingInBackground();
  useEffect(() => {
    if (!rows) return;
    const news = seen.current ? attentionSince(seen.current, rows) : [];
    seen.current = seenOf(rows);
    const wanted = news.filter((one) => isWanted(one, notificationSettings()));
    if (wanted.length === 0 || !isChosen.current || isAnyTabInSight()) return;
    for (const { row, kind } of wanted) {
      showAlert({
        title: row.name ?? say('session.untitled'),
        body: say(kind === 'waiting' ? waitingFor(row) : `notify.${kind}`),
        tag: `${row.sessionId} ${kind}`,
        open: () => void navigate(`/sessions/${row.sessionId}`),
      });
    }
    if (notificationSettings().hasSound) playChime();
  }, [rows, say, navigate, isChosen]);
  return null;
}

function waitingFor(row: Attention['row']) {
  if (row.waitsForPlan) return 'notify.plan';
  if (row.waitsForElicitation) return 'notify.elicitation';
  return row.waitsForQuestion ? 'notify.question' : 'notify.approval';
}

function isWanted({ row, kind }: Attention, settings: NotificationSettings): boolean {
  return (
    settings.isOn &&
    alertPermission() === 'granted' &&
    settings.kinds.includes(kind) &&
    !settings.mutedSessions.includes(row.sessionId) &&
    !isQuietAt(settings, clockTime())
  );
}

function useChosenTab() {
  const isChosen = useRef(false);
  useEffect(() => {
    const leaving = new AbortController();
    const hold = () =>
      new Promise<void>((release) => {
        isChosen.current = true;
        leaving.signal.addEventListener('abort', () => release());
      });
    navigator.locks.request(LOCK, { signal: leaving.signal }, hold).catch(ignoreAbort);
    return () => {
      isChosen.current = false;
      leaving.abort();
    };
  }, []);
  return isChosen;
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof DOMException) || error.name !== 'AbortError') throw error;
}

/** The list is refreshed equally often in the background, and other tabs know whether this one is visible. */
function useReadingInBackground(): void {
  const client = useQueryClient();
  useEffect(() => {
    const ticks = new Worker(new URL('./ticks.worker.ts', import.meta.url), { type: 'module' });
    ticks.onmessage = () => {
      reportInSight();
      if (!isInSight()) void client.refetchQueries({ queryKey: sessionsQuery.queryKey }, { cancelRefetch: false });
    };
    reportInSight();
    addEventListener('focus', reportInSight);
    addEventListener('blur', reportOutOfSight);
    document.addEventListener('visibilitychange', reportOutOfSight);
    return () => {
      ticks.terminate();
      removeEventListener('focus', reportInSight);
      removeEventListener('blur', reportOutOfSight);
      document.removeEventListener('visibilitychange', reportOutOfSight);
    };
  }, [client]);
}
