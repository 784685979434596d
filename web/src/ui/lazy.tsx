import { signal } from '@preact/signals'
import { type ComponentType, h } from 'preact'

export interface LazyPart<P = object> {
  get: () => ComponentType<P> | undefined
}

/** A component fetched on first use. A failed fetch is repeated on the next. */
export function lazy<P = object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  const loaded = signal<{ part: ComponentType<P> } | undefined>(undefined)
  let loading = false
  return {
    get() {
      if (!loaded.value && !loading) {
        loading = true
        load()
          .then(part => {
            loaded.value = { part }
          })
          .catch(() => {
            loading = false
          })
      }
      return loaded.value?.part
    },
  }
}

export function Lazy({ of }: { of: LazyPart }) {
  const part = of.get()
  return part ? h(part, {}) : null
}
