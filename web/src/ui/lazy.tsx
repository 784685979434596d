import { signal } from '@preact/signals'
import { type ComponentType, h } from 'preact'

export interface LazyComponent<P = object> {
  get: () => ComponentType<P> | undefined
}

/** A component fetched on first use. A failed fetch is repeated on the next. */
export function lazyComponent<P = object>(load: () => Promise<ComponentType<P>>): LazyComponent<P> {
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

export function Lazy({ of }: { of: LazyComponent }) {
  const part = of.get()
  return part ? h(part, {}) : null
}
