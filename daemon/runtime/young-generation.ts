import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8's young generation at its first size. A tick's garbage is some tens of kilobytes and dies at once,
 * so a larger young generation only holds memory: measured over the bundled drive 131 MB resident with V8's
 * growth, 112 MB without, at the same speed. To be called once, before the first tick.
 */
export function keepYoungGenerationSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  // The old generation is collected earlier for the same reason (measured: about 10 MB less, speed within the noise).
  setFlagsFromString('--optimize-for-size');
}
