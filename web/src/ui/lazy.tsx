import { signal } from '@preact/signals'
import { type ComponentType, h } from 'preact'

export interface LazyComponent<P = object> {
  /** The component, which is fetched on the first call; undefined until it is there. */
  get: () => ComponentType<P> | undefined
  /** Fetches it for later use; a failure is silent. */
  prefetch: () => void
}

let onFailure: (retry: () => void) => void = () => {}
/** Called when a component that is shown, or a module that is used, could not be fetched. */
export function onLoadFailed(listener: typeof onFailure) {
  onFailure = listener
}

/** A component fetched on first use. A failed fetch is repeated on the next use, or by `retry` of `onLoadFailed`. */
export function lazyComponent<P = object>(load: () => Promise<ComponentType<P>>): LazyComponent<P> {
  const loaded = signal<{ part: ComponentType<P> } | undefined>(undefined)
  let loading = false
  let isShown = false

  function fetchOnce() {
    if (loaded.peek() || loading) return
    loading = true
    load()
      .then(part => {
        loaded.value = { part }
      })
      .catch(() => {
        loading = false
        if (isShown) onFailure(fetchOnce)
      })
  }

  return {
    get() {
      const part = loaded.value?.part
      isShown = true
      fetchOnce()
      return part
    },
    prefetch: fetchOnce,
  }
}

/** Runs a function of a module that is fetched on first use. A failed fetch is reported, and may be repeated. */
export function withModule<M>(load: () => Promise<M>, run: (module: M) => void) {
  load().then(run, () => onFailure(() => withModule(load, run)))
}

export function Lazy({ of }: { of: LazyComponent }) {
  const part = of.get()
  return part ? h(part, {}) : null
}
