/**
 * What a client may read, in the form of Kuksa's scopes: `read:Vehicle.Speed`, `read:Vehicle.Chassis` with all below it,
 * and beside the signals `read:status`, `read:health`, `read:dtcs`, `read:world`. A client asks for what it needs and is
 * held to it. No other verb exists.
 */
const form = /^read:(Vehicle(?:\.[A-Za-z][A-Za-z0-9]*)*|status|health|dtcs|world)(?:\.\*)?$/;

export class Scopes {
  readonly #granted: readonly string[];

  private constructor(granted: readonly string[]) {
    this.#granted = granted;
  }

  /** null where one of them is no scope. */
  static parse(texts: readonly string[]): Scopes | null {
    const granted: string[] = [];
    for (const text of texts) {
      const subject = form.exec(text)?.[1];
      if (subject === undefined) return null;
      granted.push(subject);
    }
    return new Scopes(granted);
  }

  /** @param subject a VSS path, `status`, `health`, `dtcs` or `world` */
  grants(subject: string): boolean {
    return this.#granted.some((scope) => subject === scope || subject.startsWith(`${scope}.`));
  }

  /** True where some signal may be read. */
  get hasSignals(): boolean {
    return this.#granted.some((scope) => scope.startsWith('Vehicle'));
  }
}
