import type { Stores } from '#shared/stores/stores.ts'

/** State of a process, such as a counter of its requests: made once for its stores, at the first request. */
export function perStores<State>(make: (stores: Stores) => State): (stores: Stores) => State {
  const states = new WeakMap<Stores, { state: State }>()
  return stores => {
    const known = states.get(stores) ?? { state: make(stores) }
    states.set(stores, known)
    return known.state
  }
}
