/** Mutants that no test can notice, because they compute the same: start of the listed key, and why. */
export const equivalentMutants: readonly (readonly [key: string, why: string])[] = [];
