/* Quiet sounds, synthesized with Web Audio. Silent if sound is switched off or its volume is 0. */

import { loudness } from "./settings.js";

let context = null;

function activeContext() {
  if (!loudness() || !("AudioContext" in window)) return null;
  if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return null;
  context ??= new AudioContext();
  return context.state === "closed" ? null : context;
}

function tone(audio, pitch, start, length, volume) {
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = "sine";
  oscillator.frequency.value = pitch;
  gain.gain.setValueAtTime(0, audio.currentTime + start);
  gain.gain.linearRampToValueAtTime(volume * loudness(), audio.currentTime + start + 0.02);
  gain.gain.exponentialRampToValueAtTime(0.0001, audio.currentTime + start + length);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(audio.currentTime + start);
  oscillator.stop(audio.currentTime + start + length);
}

/** Play a short, dull noise: a card on cloth. */
function cardSound(audio) {
  const length = Math.floor(audio.sampleRate * 0.07);
  const noise = audio.createBuffer(1, length, audio.sampleRate);
  const data = noise.getChannelData(0);
  for (let at = 0; at < length; at += 1) data[at] = (Math.random() * 2 - 1) * (1 - at / length) ** 3;
  const source = audio.createBufferSource();
  const filter = audio.createBiquadFilter();
  const gain = audio.createGain();
  source.buffer = noise;
  filter.type = "lowpass";
  filter.frequency.value = 1800;
  gain.gain.value = 0.16 * loudness();
  source.connect(filter).connect(gain).connect(audio.destination);
  source.start();
}

const SOUNDS = {
  card: cardSound,
  turn: (audio) =>
    [
      [523, 0],
      [659, 0.13],
    ].forEach(([pitch, start]) => tone(audio, pitch, start, 0.5, 0.05)),
  trick: (audio) => tone(audio, 392, 0, 0.3, 0.035),
  end: (audio) =>
    [
      [392, 0],
      [523, 0.14],
      [659, 0.28],
      [784, 0.42],
    ].forEach(([pitch, start]) => tone(audio, pitch, start, 0.7, 0.045)),
};

export function play(name) {
  const audio = activeContext();
  if (audio) SOUNDS[name](audio);
}
