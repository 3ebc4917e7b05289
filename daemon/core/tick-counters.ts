/** Counters of the core: what each counts and what an operator does about it. Every count has a row here. */
export const tickCounters = {
  signal_unread: 'samples of signals that the core does not read; harmless',
  signal_untimed: 'samples without a usable time; check the clock of the source',
  signal_out_of_order: 'samples older than one already taken; check the order of the input',
  facts_refused:
    'facts that were malformed, from the future or of a refused origin; see the flags of the records',
  facts_over_bound: 'facts beyond 256 in a tick, oldest dropped; the source sends too much at once',
  tool_ok: 'answers in time',
  tool_late: 'answers after their deadline, used all the same; the expert is slow',
  tool_timeout: 'questions without an answer in time; the expert is slow or gone',
  tool_error: 'answers that failed or did not fit; see the flags of the records',
  tool_lost: 'questions of which nothing was heard again; the pool lost them',
  tool_answer_unasked: 'answers to questions that were not asked; the pool or the recording is wrong',
  tool_cancelled: 'questions given up because the situation had changed; harmless',
  tool_in_flight_full: 'questions not asked because 16 were open; the experts do not answer',
  speech_moot: 'messages that had resolved themselves before they were said; harmless',
  speech_expired: 'messages that found no room within ten seconds; many mean too much is going on',
  speech_repeat: 'messages that were said a moment ago',
  speech_mute: 'messages of a class that the driver muted',
  speech_verbosity: 'messages left out because little is to be said',
  speech_queue_full: 'messages beyond the eight that may wait, least important dropped',
} as const satisfies Record<string, string>;

export type TickCounter = keyof typeof tickCounters;
