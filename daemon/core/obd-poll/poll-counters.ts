/** What happened while polling, by name, as the summary prints it. */
export interface PollCounters {
  requests: number;
  answers: number;
  negative: number;
  pending: number;
  /** questions that nobody answered in time */
  unanswered: number;
  late: number;
  duplicates: number;
  wrong_source: number;
  unexpected: number;
  malformed: number;
  /** long answers that broke off or came out of order */
  broken: number;
  pending_too_often: number;
  /** tries that the kernel refused for the moment (ENOBUFS) */
  send_retries: number;
  send_failures: number;
  rounds: number;
  silent_rounds: number;
}

export function noCounts(): PollCounters {
  return {
    requests: 0,
    answers: 0,
    negative: 0,
    pending: 0,
    unanswered: 0,
    late: 0,
    duplicates: 0,
    wrong_source: 0,
    unexpected: 0,
    malformed: 0,
    broken: 0,
    pending_too_often: 0,
    send_retries: 0,
    send_failures: 0,
    rounds: 0,
    silent_rounds: 0,
  };
}
