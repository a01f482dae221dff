/** Two tones, as at a shop's counter: hertz, and when each begins in seconds. */
const TONES = [
  { hertz: 880, at: 0 },
  { hertz: 1174.7, at: 0.16 },
];
const TONE_SECONDS = 0.5;
const LOUDNESS = 0.18;
/** Orders that come close together chime once. */
const PAUSE_MS = 3000;

let audio: AudioContext | undefined;

/** Browsers let a page be heard only after somebody has clicked or typed in it; called then. */
export function allowChime(): void {
  audio ??= new AudioContext();
  void audio.resume();
}

/** Chimes in one of the tabs in which that is allowed, and then not again for a moment. */
export async function chime(): Promise<void> {
  const context = audio;
  if (!context) return;
  if (!navigator.locks) return play(context);
  await navigator.locks.request("print-store-chime", { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    play(context);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  });
}

function play(context: AudioContext): void {
  for (const { hertz, at } of TONES) {
    const start = context.currentTime + at;
    const tone = new OscillatorNode(context, { frequency: hertz });
    const volume = new GainNode(context);
    volume.gain.setValueAtTime(LOUDNESS, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + TONE_SECONDS);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + TONE_SECONDS);
  }
}
