/**
 * Bounds against hostile files. The largest public databases have some 20,000 signals in 5 MB; with these
 * bounds the worst file costs less than 200 MB and two seconds.
 */
export const maxFileBytes = 64 * 1024 * 1024;
export const maxMessages = 50_000;
export const maxSignals = 100_000;
/** comments, attributes, value tables, … */
export const maxReferences = 300_000;
/** value descriptions over the whole file */
export const maxLabels = 500_000;
/** the reader gives up on a file after this many errors */
export const maxErrors = 500;
