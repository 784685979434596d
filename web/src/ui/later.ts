import type { ComponentType } from 'preact'
import { laterWords } from '../i18n/i18n.ts'
import { type LazyPart, lazy } from './lazy.tsx'

/** A lazy part that the first screen does not need, with the words that only such parts use. */
export const later = <P = object>(load: () => Promise<ComponentType<P>>): LazyPart<P> =>
  lazy(() => withLaterWords(load))

/** Loads both in parallel. */
export async function withLaterWords<T>(load: () => Promise<T>): Promise<T> {
  const [loaded] = await Promise.all([load(), laterWords()])
  return loaded
}
