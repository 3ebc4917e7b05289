/**
 * What can be wrong with a part of a log. The codes are for programs and never change their meaning;
 * the texts are for people. "Damage" is content that was lost; a "note" is content that was delivered and is odd.
 */
export const damageTexts = {
  line_unreadable: 'this is no line of the format',
  line_cut: 'the last line ends in the middle',
  line_too_long: 'the line is longer than any line of the format and was skipped',
  time_invalid: 'the time stamp cannot be read',
  bus_invalid: 'the interface or channel cannot be read, or is one beyond the 256 that are told apart',
  bus_too_many: 'the input names more interfaces than a vehicle has',
  id_invalid: 'the identifier cannot be read, or its width fits neither 11 nor 29 bit',
  id_range: 'the identifier is beyond its range',
  type_unknown: 'the kind of frame is unknown',
  direction_invalid: 'the direction is neither Rx nor Tx',
  length_invalid: 'the data length cannot be read',
  data_invalid: 'a data byte cannot be read',
  data_short: 'there are fewer data bytes than the line announces',
  data_long: 'there are more data bytes than a frame can hold',
  gzip_cut: 'the compressed input ends in the middle; what came before was read',
  gzip_damaged: 'the compressed input is damaged from here on; what came before was read',
  file_cut: 'the file ends in the middle; what came before was read',
  object_damaged: 'an object could not be read and was skipped',
  container_damaged: 'a compressed container is damaged; what can be read of it was delivered',
  container_too_large: 'a compressed container unpacks to more than 32 MiB and was left out',
  container_method_unknown: 'a container is compressed in a way that is unknown and was left out',
  block_damaged: 'a block could not be read; what hangs on it was left out',
  record_damaged: 'records could not be read; reading went on at the next that fits',
  payload_missing: 'the payload bytes of the frame are not where the record says',
} as const;

export const noteTexts = {
  time_backwards: 'time steps back; frames are delivered in the order of the input',
  no_timestamps: 'the lines carry no time; every frame is delivered with t = 0',
  no_final_newline: 'the last line has no line end; its payload may be cut',
  id_over_11_bit: 'an identifier above 0x7FF is not marked as 29 bit; delivered as recorded',
  local_time: 'the times are local without a time zone; they are taken as UTC',
  not_finalized: 'the recorder did not close the file; it was read up to its end',
} as const;

export type DamageCode = keyof typeof damageTexts;
export type NoteCode = keyof typeof noteTexts;
