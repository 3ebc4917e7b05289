import type { FrameBatch } from '../../core/can/frame-batch.js';
import { DiagnosticNewsDesk } from './diagnostic-news.js';
import type { DiagnosticReader } from './health-session.js';

export function openDiagnosticReader(): DiagnosticReader & { readonly answers: number } {
  const desk = new DiagnosticNewsDesk();
  return {
    get answers() {
      return desk.answers;
    },
    frame(_batch: FrameBatch, _i: number, _tUs: number) {},
    finish() {},
    drain: () => desk.drain(),
  };
}
