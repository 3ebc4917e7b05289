/** Reading the inputs of a vector: typed access that says which key is wrong. */
import { DriveMcpError } from '../../core/errors.js';

/** Where numbers cannot be written in JSON the vector files write them as words. */
const numberWords: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
};

/** An object of a vector file together with its place there. */
export class VectorFields {
  constructor(
    readonly key: string,
    private readonly members: Readonly<Record<string, unknown>>,
  ) {}

  static of(key: string, value: unknown): VectorFields {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw invalid(key, 'an object', value);
    return new VectorFields(key, value as Record<string, unknown>);
  }

  has(name: string): boolean {
    return this.members[name] !== undefined;
  }

  /** a number, null, or undefined where the member is missing */
  numberOrNull(name: string): number | null | undefined {
    const value = this.members[name];
    if (value === undefined || value === null || typeof value === 'number') return value;
    const word = typeof value === 'string' ? numberWords[value] : undefined;
    if (word === undefined) throw invalid(this.path(name), 'a number', value);
    return word;
  }

  number(name: string): number {
    const value = this.numberOrNull(name);
    if (typeof value !== 'number') throw invalid(this.path(name), 'a number', value);
    return value;
  }

  numberOr(name: string, otherwise: number): number {
    return this.numberOrNull(name) ?? otherwise;
  }

  stringOr(name: string, otherwise: string | undefined): string | undefined {
    const value = this.members[name];
    if (value === undefined || value === null) return otherwise;
    if (typeof value !== 'string') throw invalid(this.path(name), 'a string', value);
    return value;
  }

  string(name: string): string {
    const value = this.stringOr(name, undefined);
    if (value === undefined) throw invalid(this.path(name), 'a string', value);
    return value;
  }

  booleanOr(name: string, otherwise: boolean): boolean {
    const value = this.members[name];
    if (value === undefined || value === null) return otherwise;
    if (typeof value !== 'boolean') throw invalid(this.path(name), 'true or false', value);
    return value;
  }

  fields(name: string): VectorFields {
    return VectorFields.of(this.path(name), this.members[name]);
  }

  /** null where the member is null or missing */
  fieldsOrNull(name: string): VectorFields | null {
    const value = this.members[name];
    return value === undefined || value === null ? null : VectorFields.of(this.path(name), value);
  }

  array(name: string): readonly unknown[] {
    const value = this.members[name];
    if (!Array.isArray(value)) throw invalid(this.path(name), 'an array', value);
    return value;
  }

  path(name: string): string {
    return this.key === '' ? name : `${this.key}.${name}`;
  }
}

export function invalid(key: string, expected: string, value: unknown): DriveMcpError {
  const shown = value === undefined ? 'is missing' : `is ${shownValue(value)}`;
  return new DriveMcpError('VECTORS_INVALID', `must be ${expected}, ${shown}`, { location: { key } });
}

/** Short, and never by way of what a value holds: that can be nested deeper than a stack reaches. */
function shownValue(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return JSON.stringify(typeof value === 'string' ? value.slice(0, 60) : value) ?? typeof value;
}
