import type { ComponentType } from 'preact'
import { type LazyPart, lazy } from './ui/lazy.tsx'
import { laterWords } from './words.ts'

/** A part that the first screen does without, with the words that only such parts speak. */
export const later = <P = object>(load: () => Promise<ComponentType<P>>): LazyPart<P> =>
  lazy(() => withLaterWords(load))

/** Fetches both at once. */
export async function withLaterWords<T>(load: () => Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([load(), laterWords()])
  return loaded
}
