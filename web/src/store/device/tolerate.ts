type ErrorClass = new (...args: never[]) => unknown

/** Rethrows errors of any other class. For `catch` blocks. */
export function tolerate<Classes extends ErrorClass[]>(
  error: unknown,
  ...classes: Classes
): asserts error is InstanceType<Classes[number]> {
  if (!classes.some(one => error instanceof one)) throw error
}
