/** The layers of this tab in the browser's history. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { type Follower, type Layer, LayerHistory } from './layer-history.ts'

export { STAYS } from './layer-history.ts'

const layers = new LayerHistory({
  get history() {
    return history
  },
  get location() {
    return location
  },
  listen(moved) {
    addEventListener('popstate', moved)
    addEventListener('hashchange', moved)
    return () => {
      removeEventListener('popstate', moved)
      removeEventListener('hashchange', moved)
    }
  },
  later: run => setTimeout(run),
})

export const startLayers = (follower: Follower) => layers.start(follower)
export const replacePlace = (place: string) => layers.replacePlace(place)

let count = 0
/** Keys of an earlier load of the page must not match. */
const load = Math.random().toString(36).slice(2)

export interface View {
  /** Stays the same while the view moves on to another address. */
  key: string
  address: string | undefined
}

type Look = Pick<Layer, 'covers' | 'isPage'>

/** Gives a layer its history entry. Returns the function to call when the layer has closed. */
export function openLayer(close: () => unknown, view?: View): () => void {
  const layer: Layer = { key: view?.key ?? `${load} ${++count}`, close, address: view?.address }
  layers.opened(layer)
  return () => layers.closed(layer)
}

/** The component is a layer as long as it is mounted. Without `close` it cannot be closed and has no entry. */
export function useLayer(
  close: (() => unknown) | undefined,
  view?: View,
  { covers = false, isPage }: Look = {},
) {
  const latest = useRef(close)
  latest.current = close
  const layer = useRef<Layer>(undefined)
  const isLayer = close !== undefined
  useLayoutEffect(() => {
    if (!isLayer) return
    const made: Layer = {
      key: view?.key ?? `${load} ${++count}`,
      close: () => latest.current?.(),
      address: view?.address,
      covers,
      isPage,
    }
    layer.current = made
    layers.opened(made)
    return () => layers.closed(made)
  }, [isLayer, view?.key])
  useLayoutEffect(() => {
    const made = layer.current
    if (made && made.address !== view?.address) layers.moved(made, view?.address)
  }, [view?.address])
}
