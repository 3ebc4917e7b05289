/** Causes of a mode that are whole codes of the mode machine. */
const whole: Readonly<Record<string, string>> = {
  'invariant:time': 'time ran backwards',
  'signal:Vehicle.Speed': 'no valid Vehicle.Speed comes',
  'store:unhealthy': 'audit records are not becoming durable',
  'store:lag': 'audit records become durable too late',
  'timing:missed': 'several ticks in a row were missed',
  'timing:late': 'too many ticks are late',
  'limit:unsure': 'the limit is a guess',
  'rulepack:stale': 'the rulepack is out of date',
};

const sources: Readonly<Record<string, string>> = {
  can: '',
  perception: 'perception of ',
  tool: 'expert ',
  timer: 'timer ',
};

/** A cause of a mode for people; the code itself (`can:vcan0:down`) is for programs and for records. */
export function modeCauseWords(code: string): string {
  const known = whole[code];
  if (known !== undefined) return known;
  const [kind = '', ...rest] = code.split(':');
  const state = rest.pop() ?? '';
  const name = rest.join(':');
  const prefix = sources[kind];
  if (prefix === undefined || name === '' || state === '') return code;
  if (kind === 'tool' && state === 'failing') return `the ${name} expert keeps failing`;
  return `${prefix}${name} is ${state.replaceAll('_', ' ')}`;
}
