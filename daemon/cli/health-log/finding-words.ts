import type { ReportFinding } from '../../core/safety/health/health-report.js';

/** A finding as a sentence. */
export function findingWords({ code, subject }: ReportFinding): string {
  switch (code) {
    case 'sensor_range':
      return `sensor shows what it cannot measure: ${subject} (its last good value holds for 5 s)`;
    case 'low_coverage':
      return 'less than half of what health is made of is known';
    case 'recently_cleared':
      return `${subject}: no codes, but monitors have not run since codes were cleared`;
    case 'message_lost':
      return `cyclic message ${subject} has stopped while its bus goes on`;
    case 'message_missing':
      return `message ${subject} of the reference never came`;
    case 'bus_off':
      return 'a bus is off: its controller has seen too many errors';
    case 'bus_quiet':
      return `bus ${subject} goes quiet: most of its cyclic messages have stopped (asleep, ignition off or cut off)`;
    case 'answer_incomplete':
      return `${subject}: answers began and did not become whole`;
  }
}
