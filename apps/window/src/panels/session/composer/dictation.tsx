import { Mic, MicOff } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { readStored, writeStored } from '../../../ambient.ts';
import { openOverlay } from '../../../shell/overlay-state.ts';
import { useWords } from '../../../words/words.ts';

/** The part of the browser's interface that is used. */
interface Recognition {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  onresult:
    | ((event: {
        resultIndex: number;
        results: ArrayLike<ArrayLike<{ transcript: string }> & { isFinal: boolean }>;
      }) => void)
    | null;
  onerror: ((event: { error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  abort(): void;
}
type RecognitionClass = new () => Recognition;

const recognitionClass = (): RecognitionClass | undefined => {
  const { SpeechRecognition, webkitSpeechRecognition } = globalThis as {
    SpeechRecognition?: RecognitionClass;
    webkitSpeechRecognition?: RecognitionClass;
  };
  return SpeechRecognition ?? webkitSpeechRecognition;
};

const AGREED = 'dictation-agreed';
const isTrue = (value: unknown): value is true => value === true;

interface DictationProps {
  /** Adds spoken words to the message. */
  add: (words: string) => void;
}

/** Dictates into the message with the browser's speech recognition; nothing where the browser has none. */
export function Dictation({ add }: DictationProps) {
  const { say, language } = useWords();
  const [error, setError] = useState<string>();
  const [current, setCurrent] = useState<Recognition>();
  const latest = useRef(add);
  latest.current = add;
  useEffect(() => () => current?.abort(), [current]);
  const Class = recognitionClass();
  if (!Class) return null;

  const start = () => {
    const recognition = new Class();
    recognition.lang = language === 'it' ? 'it-IT' : 'en-US';
    recognition.continuous = true;
    recognition.interimResults = false;
    recognition.onresult = ({ resultIndex, results }) => {
      for (let at = resultIndex; at < results.length; at += 1) {
        const result = results[at];
        if (result?.isFinal && result[0]) latest.current(result[0].transcript.trim());
      }
    };
    recognition.onerror = ({ error: code }) => {
      if (code !== 'aborted') setError(code);
    };
    recognition.onend = () => setCurrent(undefined);
    setError(undefined);
    recognition.start();
    setCurrent(recognition);
  };
  /** Said once: the recognition is the browser's, and so is where the audio goes. */
  const ask = () => {
    if (readStored(AGREED, isTrue)) return start();
    openOverlay({
      kind: 'confirm',
      title: say('dictation.title'),
      text: say('dictation.why'),
      act: say('dictation.start'),
      isDangerous: false,
      run: async () => {
        writeStored(AGREED, true);
        start();
      },
    });
  };
  const label = say(current ? 'dictation.stop' : 'dictation.start');
  const Icon = current ? MicOff : Mic;
  return (
    <>
      <button
        type="button"
        className="icon-button dictation"
        aria-label={label}
        title={label}
        aria-pressed={current !== undefined}
        onClick={() => (current ? current.abort() : ask())}
      >
        <Icon size={14} aria-hidden />
      </button>
      <span className="unseen" role="status">
        {current ? say('dictation.listening') : ''}
      </span>
      {error && (
        <p className="composer-note danger small" role="alert">
          {say(error === 'not-allowed' ? 'dictation.denied' : 'dictation.failed', { code: error })}
        </p>
      )}
    </>
  );
}
