export interface ChildCommand {
  readonly file: string;
  readonly args: readonly string[];
}
