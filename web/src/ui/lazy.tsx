import { type ComponentType, h } from 'preact'
import type { Part } from './part.ts'

interface Props<M extends object> {
  of: Part<M>
  name: keyof M
  /** Fetched after this. */
  when?: () => Promise<void>
}

/** Shows a component of the second entry that has no props, once it is there. */
export function Lazy<M extends object>({ of, name, when }: Props<M>) {
  const shown = of.get(name, when) as ComponentType | undefined
  return shown ? h(shown, {}) : null
}
