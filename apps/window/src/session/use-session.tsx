import type { Conversation } from '@fucina/conversation';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { prefetchedStream, type SessionStream, type StreamState, takeStream } from './stream.ts';

const Stream = createContext<SessionStream | undefined>(undefined);

/** Follows one session for all components inside; closes the stream with it. */
export function FollowSession({ sessionId, children }: { sessionId: string; children: ReactNode }) {
  const [stream, setStream] = useState(() => prefetchedStream(sessionId));
  useEffect(() => {
    const opened = takeStream(sessionId);
    setStream(opened);
    return () => opened.close();
  }, [sessionId]);
  return stream ? <Stream value={stream}>{children}</Stream> : null;
}

function useStream(): SessionStream {
  const stream = useContext(Stream);
  if (!stream) throw new Error('no session is followed here');
  return stream;
}

/** Reads the conversation at the time of an event, without redrawing when it changes. */
export function useConversationReader(): () => Conversation {
  return useStream().conversation;
}

export function useConversation(): Conversation {
  const stream = useStream();
  return useSyncExternalStore(stream.subscribe, stream.conversation);
}

/** One value derived from the conversation; redraws only when it changes. `pick` must be stable. */
export function useConversationFact<Fact>(pick: (conversation: Conversation) => Fact): Fact {
  const stream = useStream();
  const read = useMemo(() => () => pick(stream.conversation()), [stream, pick]);
  return useSyncExternalStore(stream.subscribe, read);
}

export function useStreamState(): StreamState {
  const stream = useStream();
  return useSyncExternalStore(stream.subscribe, stream.link);
}
