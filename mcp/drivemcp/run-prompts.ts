import type { Completer, ServerPrompt } from '../shared/expert-server.js';
import type { ExpertTool } from '../shared/expert-tool.js';
import { quotedData } from '../shared/quoted-data.js';
import type { DaemonView } from './daemon-view.js';

interface RunTools {
  readonly explain: ExpertTool;
  readonly auditQuery: ExpertTool;
}

/** Decisions that a review is told of; the model asks for more with the tool. */
const reviewedMaxCount = 100;
const neverWithdrawn = new AbortController().signal;

/** The data come from the tools of the same server, so a prompt says nothing that a tool would not. */
export function runPrompts(view: DaemonView, { explain, auditQuery }: RunTools): readonly ServerPrompt[] {
  const runs: Completer = async (begun) =>
    view
      .recordedRuns()
      .filter((id) => id.startsWith(begun))
      .reverse();
  const runArgument = { description: 'id of the run; default the latest', required: false, complete: runs };
  return [
    {
      name: 'explain_decision',
      title: 'Explain a decision',
      description: 'Why the daemon spoke, acted or stayed silent at a tick, in plain words, from its record.',
      arguments: {
        tick: { description: 'number of the tick', required: true },
        run_id: runArgument,
      },
      async render({ tick, run_id }, { nowWallMs }) {
        const record = await explain.call(
          { tick: Number(tick), ...(run_id === undefined ? {} : { run_id }) },
          { signal: neverWithdrawn, nowWallMs },
        );
        return [
          'Explain to the driver why this was decided: what was observed and how surely, which rule applied, which numbers',
          'decided. Use only numbers of the data below. Say so where the run was simulated or the tick is not decided as it was',
          'recorded. Research software, not a safety mechanism.',
          quotedData('the tick', record),
        ].join('\n');
      },
    },
    {
      name: 'post_trip_review',
      title: 'Review a trip',
      description:
        'What happened on a run: advice, interventions, faults, doubts, in the order of the drive.',
      arguments: { run_id: runArgument },
      async render({ run_id }, { nowWallMs }) {
        const context = { signal: neverWithdrawn, nowWallMs };
        const of = run_id === undefined ? {} : { run_id };
        const [acts, speaks, modes] = await Promise.all([
          auditQuery.call({ ...of, decision: 'act', kind: 'act', limit: reviewedMaxCount }, context),
          auditQuery.call({ ...of, decision: 'speak', limit: reviewedMaxCount }, context),
          auditQuery.call({ ...of, kind: 'mode', limit: reviewedMaxCount }, context),
        ]);
        return [
          'Review this trip for its driver: what was said and why, whether anything was done about a danger, what was not known',
          'or did not work, and what to look after before the next trip. Use only what stands in the data below, name the times,',
          'and say so where the run was simulated. Research software, not a safety mechanism.',
          quotedData('interventions', acts),
          quotedData('advice', speaks),
          quotedData('changes of mode', modes),
        ].join('\n');
      },
    },
  ];
}
