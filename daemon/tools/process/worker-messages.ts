/** What the deciding thread and the experts' thread say to each other. Plain data, each message small. */
import type { JsonObject, ToolName } from '../../core/tick.js';
import type { ChildCommand } from './child-command.js';

export interface ExpertPlan {
  readonly tool: ToolName;
  readonly command: ChildCommand;
  /** what a pin is bound to: another program is pinned anew */
  readonly identity: string;
  /** the calls that the core makes of it: a server that lacks one is not used */
  readonly calls: readonly string[];
  /** a server that comes with this program: it speaks the current revision */
  readonly isOwn: boolean;
  /** pinned by the configuration; null = trust on first use */
  readonly toolsSha256: string | null;
}

export interface ExpertsPlan {
  readonly stateDir: string;
  readonly answerMaxBytes: number;
  readonly experts: readonly ExpertPlan[];
}

export type ToWorker =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly tool: ToolName;
      readonly call: string;
      readonly args: JsonObject;
    }
  /** nobody wants the answer any more, however late */
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'wake' }
  /** a new process in the place of the old one: its data have changed */
  | { readonly kind: 'replace'; readonly tool: ToolName }
  | { readonly kind: 'close' };

export type FromWorker =
  | { readonly kind: 'answer'; readonly id: number; readonly payload: JsonObject }
  /** `isUnfit`: something came, and it is no answer */
  | { readonly kind: 'failure'; readonly id: number; readonly reason: string; readonly isUnfit: boolean }
  | { readonly kind: 'state'; readonly tool: ToolName; readonly state: ExpertState }
  /** for the audit record */
  | { readonly kind: 'event'; readonly tool: ToolName; readonly event: string; readonly detail: JsonObject }
  | { readonly kind: 'stderr'; readonly tool: ToolName; readonly line: string; readonly suppressed: number };

export type ProcessState = 'idle' | 'starting' | 'ready' | 'waiting' | 'refused' | 'closed';

export interface ExpertState {
  readonly state: ProcessState;
  readonly pid: number | null;
  readonly starts: number;
  readonly kills: number;
  readonly noiseLines: number;
  readonly tooLong: number;
  readonly toolsSha256: string | null;
  readonly server: string | null;
  readonly protocol: string | null;
  /** how its last process ended, or why it was killed */
  readonly lastEnd: string | null;
}
