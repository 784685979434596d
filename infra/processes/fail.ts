/** Throws an error with a message for the operator: `reportAndExit` prints it without a stack. Usable in expressions. */
export function fail(sentence: string): never {
  throw new Error(sentence)
}
