/** What one MCP server offers, as plain data: the same definition serves every transport and every revision. */
import type { ExpertTool, ToolContext } from './expert-tool.js';

export const serverNames = ['rules', 'weather', 'can', 'drivemcp'] as const;
export type ServerName = (typeof serverNames)[number];

/** How long a client may keep a result, and whether others may share it. */
export interface CacheRule {
  readonly ttlMs: number;
  readonly scope: 'public' | 'private';
}

/** Law changes with a version of a pack, not by the minute. */
export const packCache: CacheRule = { ttlMs: 3_600_000, scope: 'public' };
/** What a car or a run does now is nobody else's, and old at once. */
export const statusCache: CacheRule = { ttlMs: 0, scope: 'private' };

/** Values that a person or a host may mean, the likeliest first. */
export type Completer = (begun: string) => Promise<readonly string[]>;

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
}

export interface ServerResource {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** fixed, or a template by RFC 6570 */
  readonly uri: string;
  readonly mimeType: 'application/json' | 'text/plain';
  readonly cache: CacheRule;
  /** those of a template that `resources/list` shows */
  list?(): Promise<readonly ListedResource[]>;
  readonly complete?: Readonly<Record<string, Completer>>;
  /**
   * @param variables of the template, decoded; untrusted
   * @returns the text, or null where there is no such resource
   */
  read(
    variables: Readonly<Record<string, string>>,
    context: Pick<ToolContext, 'signal' | 'nowWallMs'>,
  ): Promise<string | null>;
}

export interface PromptArgument {
  readonly description: string;
  readonly required: boolean;
  readonly complete?: Completer;
}

export interface ServerPrompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: Readonly<Record<string, PromptArgument>>;
  /** The message for the model. What comes from outside stands in it as quoted data. */
  render(args: Readonly<Record<string, string>>, context: Pick<ToolContext, 'nowWallMs'>): Promise<string>;
}

export interface ExpertServer {
  readonly name: ServerName;
  readonly title: string;
  /** version of the product */
  readonly version: string;
  /** for the model of a host: what the server is good for */
  readonly instructions: string;
  readonly tools: readonly ExpertTool[];
  readonly resources: readonly ServerResource[];
  readonly prompts: readonly ServerPrompt[];
  /** Tells of resources whose content has changed, by URI, until the returned function is called. */
  watch?(changed: (uri: string) => void): () => void;
  /** Lets go of what calls have opened (threads); to be called when the last connection has ended. */
  close?(): Promise<void>;
}
