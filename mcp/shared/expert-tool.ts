import type { z } from 'zod';
import { DriveMcpError } from '../../daemon/core/errors.js';
import type { JsonObject } from '../../daemon/core/tick.js';
import { parseToolArgs } from './tool-args.js';
import { requireVisibleText } from './visible-text.js';

/** What a call knows besides its arguments. Time is an argument, so that an answer can be repeated. */
export interface ToolContext {
  /** aborted when the caller withdraws; long work looks at it between steps */
  readonly signal: AbortSignal;
  /** Unix time of the call in ms */
  readonly nowWallMs: number;
  /** present where the caller asked to be told; `total` in the same unit as `done` */
  progress?(done: number, total: number, message: string): void;
}

/** A tool as its author writes it. Both schemas are strict: no key that they do not name. */
export interface ExpertToolDefinition<I extends z.ZodObject, O extends z.ZodObject> {
  /** snake_case, begins with the name of the server: `rules_search` */
  readonly name: string;
  readonly title: string;
  /** static ASCII below 500 characters; says what it answers and that it is research software */
  readonly description: string;
  readonly input: I;
  readonly output: O;
  /**
   * Reads and answers; changes nothing outside.
   * @throws DriveMcpError whose message says what to do instead, with the valid values where there are few
   */
  run(args: z.output<I>, context: ToolContext): Promise<z.input<O>>;
}

/** A tool as servers and the daemon hold it: any arguments in, checked answer out. */
export interface ExpertTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /**
   * @throws DriveMcpError TOOL_ARGS_INVALID for arguments that do not fit, INVARIANT for an answer that does not, and
   * what the tool itself throws
   */
  call(args: unknown, context: ToolContext): Promise<JsonObject>;
}

/** Binds a definition to its schemas: one way to call it, in process and behind MCP. */
export function expertTool<I extends z.ZodObject, O extends z.ZodObject>(
  definition: ExpertToolDefinition<I, O>,
): ExpertTool {
  const { name, title, description, input, output } = definition;
  return {
    name,
    title,
    description,
    input,
    output,
    async call(args, context) {
      context.signal.throwIfAborted();
      requireVisibleText(args, name);
      const answer = output.safeParse(await definition.run(parseToolArgs(input, args, name), context));
      if (answer.success) return answer.data as JsonObject;
      const issue = answer.error.issues[0];
      throw new DriveMcpError('INVARIANT', `${name}: its answer does not fit its own schema`, {
        location: { key: issue?.path.join('.') ?? '' },
        cause: answer.error,
      });
    },
  };
}
