/** What simulated control units hold and how they behave: a small JSON file, or the bundled pair of them. */
import { z } from 'zod';

/** How an ECU takes a request; a list of them is gone through request by request, over and over. */
export const behaviours = [
  'answers',
  'silent',
  /** after the tester's time is over */
  'slow',
  'twice',
  /** the right answer to another question */
  'for_another',
  /** under the identifier of another ECU */
  'wrong_source',
  /** 7F xx 78 twice, then the answer */
  'pending',
  'pending_for_ever',
  'busy',
  'refuses',
  /** of a long answer only the first frame */
  'breaks_off',
  /** a long answer with a frame left out */
  'skips_a_frame',
  /** fewer bytes than the parameter has */
  'short',
] as const;
export type Behaviour = (typeof behaviours)[number];

const hexBytes = z.string().regex(/^([0-9A-Fa-f]{2})*$/, 'hexadecimal bytes such as 1AF8');
const ecu = z.strictObject({
  /** identifier it answers on: 7E8 … 7EF, or 18DAF1xx */
  answer: z.string().regex(/^(7E[89A-F]|7B8|7C8|7BB|18DAF1[0-9A-F]{2})$/, '7E8 … 7EF or 18DAF1xx'),
  pids: z.record(z.string().regex(/^[0-9A-F]{2}$/, 'a PID such as 0C'), hexBytes).default({}),
  vin: z
    .string()
    .regex(/^[A-HJ-NPR-Z0-9]{17}$/, '17 characters without I, O and Q')
    .optional(),
  /** two bytes each, as on the wire: 0133 = P0133 */
  confirmed: z.array(hexBytes).default([]),
  pending: z.array(hexBytes).default([]),
  permanent: z.array(hexBytes).default([]),
  behaviour: z.array(z.enum(behaviours)).min(1).default(['answers']),
});

const script = z.strictObject({
  ecus: z.array(ecu).min(1).max(16),
  /** cyclic frames of another node, so that the bus is alive; 0 = none */
  traffic_hz: z.number().min(0).max(1000).default(10),
});

export type EcuScript = z.infer<typeof script>;
export type ScriptedEcu = EcuScript['ecus'][number];

/** @throws Error with the path of the first thing that is wrong */
export function parseEcuScript(value: unknown): EcuScript {
  const result = script.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new Error(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'refused'}`);
}

/** An engine and a transmission of a car that idles; all values are made up. */
export const bundledEcus: EcuScript = parseEcuScript({
  ecus: [
    {
      answer: '7E8',
      pids: {
        '01': '81076500',
        '03': '0200',
        '04': '40',
        '05': '7B',
        '06': '80',
        '07': '82',
        '0B': '23',
        '0C': '0CD0',
        '0D': '00',
        '0E': '8A',
        '0F': '41',
        '10': '0190',
        '11': '26',
        '1F': '012C',
        '21': '0000',
        '2F': '99',
        '31': '0FA0',
        '33': '64',
        '42': '3714',
        '43': '0033',
        '46': '3E',
        '49': '27',
        '5C': '6E',
      },
      vin: 'WDRVMCPSM0LATE017',
      confirmed: ['0133'],
      pending: ['0420'],
    },
    { answer: '7E9', pids: { '01': '01000000', '0D': '00', '42': '3708' }, confirmed: ['C100'] },
  ],
});
