import { signal } from '@preact/signals'
import { type ComponentType, h } from 'preact'

export interface LazyPart {
  get: () => ComponentType | undefined
}

/** A part of the client that is fetched when it is first shown. One that could not be fetched is asked for again. */
export function lazy(load: () => Promise<ComponentType>): LazyPart {
  const loaded = signal<{ part: ComponentType } | undefined>(undefined)
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
