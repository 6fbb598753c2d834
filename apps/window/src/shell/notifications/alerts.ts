/** The browser's notification permission; `unsupported` if there is none, as on a non-local address without https. */
export type AlertPermission = NotificationPermission | 'unsupported';

export const alertPermission = (): AlertPermission =>
  typeof Notification === 'undefined' ? 'unsupported' : Notification.permission;

export async function requestAlerts(): Promise<AlertPermission> {
  return typeof Notification === 'undefined' ? 'unsupported' : Notification.requestPermission();
}

interface Alert {
  title: string;
  body: string;
  /** A later notification with the same tag replaces an earlier one. */
  tag: string;
  open(): void;
}

/** Shows a system notification; a click brings the window to the front. */
export function showAlert({ title, body, tag, open }: Alert): void {
  const shown = new Notification(title, { body, tag });
  shown.onclick = () => {
    shown.close();
    focus();
    open();
  };
}

const NOTES_HZ = [660, 880];
const NOTE_SECONDS = 0.12;
const LOUDNESS = 0.08;

/** Two short notes. Silent until the user has interacted with the page, as browsers require. */
export function playChime(): void {
  const audio = new AudioContext();
  const volume = new GainNode(audio, { gain: LOUDNESS });
  volume.connect(audio.destination);
  for (const [at, frequency] of NOTES_HZ.entries()) {
    const note = new OscillatorNode(audio, { frequency });
    note.connect(volume);
    note.start(audio.currentTime + at * NOTE_SECONDS);
    note.stop(audio.currentTime + (at + 1) * NOTE_SECONDS);
    if (at === NOTES_HZ.length - 1) note.onended = () => void audio.close();
  }
}
