import type { ComponentType } from 'preact'
import { type LazyPart, lazy } from './ui/lazy.tsx'
import { laterWords } from './words.ts'

/** A lazy part that the first screen does not need, with the words that only such parts use. */
export const later = <P = object>(load: () => Promise<ComponentType<P>>): LazyPart<P> =>
  lazy(() => withLaterWords(load))

/** Loads both in parallel. */
export async function withLaterWords<T>(load: () => Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([load(), laterWords()])
  return loaded
}
