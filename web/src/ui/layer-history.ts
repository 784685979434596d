/**
 * History entries: every open layer (dialog, panel, menu, view) has one, so that Back closes the topmost layer.
 *
 *   place #/c/a ── layer: people ── layer: a menu        Back closes the menu, then the panel, then leaves the place
 *
 * A layer that closes by itself leaves a vacant entry: it looks like the one below, the next layer takes it over, and
 * Back passes over it. Entries are not removed with `history.back()`, which is asynchronous and would race with
 * navigations. A layer with an address is a view: Forward, Back and a reload open it again, other layers stay closed.
 */

/** Returned by `close` if the layer stays, for example to ask about unsaved changes. */
export const STAYS = Symbol('stays')

export interface Layer {
  key: string
  close: () => unknown
  address?: string | undefined
  /** A dialog: it hides the place, so another address closes it. */
  covers?: boolean
  /** Whether it is a page now, which hides the place: the address of a place alone closes it. */
  isPage?: (() => boolean) | undefined
}

interface Entry {
  index: number
  /** Fragment of the place behind all layers. */
  place: string
  /** Fragment of the entry while its own layer is closed or has no address. */
  base: string
  /** Key of the layer for which the entry was made. */
  own?: string | undefined
  layers: { key: string; address?: string | undefined }[]
}

/** The parts of the browser in use. */
export interface Browser {
  readonly history: Pick<History, 'state' | 'pushState' | 'replaceState' | 'go'>
  readonly location: { readonly hash: string }
  /** Calls back on traversals and on navigations to a fragment. Returns the unsubscribe function. */
  listen: (moved: () => void) => () => void
  /** Runs a function after the current task. */
  later: (run: () => void) => void
}

export interface Follower {
  /** Splits a fragment into place and view. A view without a place lies over the place before. */
  split: (hash: string) => { place?: string | undefined; view?: string | undefined }
  showPlace: (hash: string) => void
  showView: (hash: string) => void
}

/** Owner of an entry whose view is still to open. */
const COMING = 'coming'

export class LayerHistory {
  readonly #browser: Browser
  #follower: Follower | undefined
  #open: Layer[] = []
  #entry: Entry = { index: 0, place: '', base: '', layers: [] }
  #hash = ''
  /** Greatest index known to exist. */
  #last = 0

  constructor(browser: Browser) {
    this.#browser = browser
  }

  /** Shows the place and the views of the present address. Returns the unsubscribe function. */
  start(follower: Follower): () => void {
    const { history, location } = this.#browser
    this.#follower = follower
    const stop = this.#browser.listen(this.#moved)
    this.#hash = location.hash
    if (isEntry(history.state)) {
      this.#entry = history.state
      this.#last = this.#entry.index
      follower.showPlace(this.#entry.place)
      this.#showViews()
      return stop
    }
    const { place, view } = follower.split(location.hash)
    this.#write({ index: 0, place: place ?? '#/', base: place ?? '#/', layers: [] }, 'replace')
    follower.showPlace(place ?? '#/')
    if (view !== undefined) follower.showView(view)
    return stop
  }

  opened(layer: Layer) {
    this.#adopt()
    const isKnown = this.#entry.layers.some(one => one.key === layer.key) && !this.#isVacant()
    this.#open = [...this.#open.filter(one => one.key !== layer.key), layer]
    if (isKnown) this.#settle()
    else if (this.#entry.own === layer.key || this.#isVacant())
      this.#write({ ...this.#entry, own: layer.key }, 'replace')
    else this.#push(layer)
  }

  closed(layer: Layer) {
    if (!this.#open.includes(layer)) return
    this.#adopt()
    this.#open = this.#open.filter(one => one !== layer)
    // Later: a navigation may follow, and Back then returns to this layer.
    this.#browser.later(() => this.#settle())
  }

  /** The address of an open layer has changed. */
  moved(layer: Layer, address: string | undefined) {
    const before = layer.address
    layer.address = address
    if (!this.#open.includes(layer)) return
    // A link inside the layer led to a view that the same layer shows.
    if (this.#entry.own === COMING) this.#entry = { ...this.#entry, own: layer.key }
    // A vacant entry looks like the one below.
    if (this.#isVacant() && this.#entry.base === before && address)
      this.#entry = { ...this.#entry, base: address }
    this.#settle()
  }

  /** Changes the address of the current place, without a new entry. */
  replacePlace(place: string) {
    this.#adopt()
    const { base } = this.#entry
    this.#write({ ...this.#entry, place, base: base === this.#entry.place ? place : base }, 'replace')
  }

  #push(layer: Layer) {
    const { index, place } = this.#entry
    this.#write({ index: index + 1, place, base: this.#hash, own: layer.key, layers: [] }, 'push')
  }

  #settle() {
    this.#adopt()
    this.#write(this.#entry, 'replace')
  }

  #write(entry: Entry, how: 'push' | 'replace') {
    const { history, location } = this.#browser
    const own = this.#open.find(layer => layer.key === entry.own)
    // Both layers of a view over a view may close at once.
    const hash = own?.address ?? (this.#open.length === 0 ? entry.place : entry.base)
    const layers = this.#open.map(({ key, address }) => (address === undefined ? { key } : { key, address }))
    this.#entry = { ...entry, layers }
    this.#hash = hash
    // The start page has no fragment until something else was shown.
    const url = hash === '#/' && location.hash === '' ? undefined : hash
    if (how === 'replace') return history.replaceState(this.#entry, '', url)
    this.#last = entry.index
    history.pushState(this.#entry, '', url)
  }

  /** True for the entry of a layer that is closed. */
  #isVacant() {
    const { own } = this.#entry
    return own !== undefined && !this.#open.some(layer => layer.key === own)
  }

  /** Gives an entry that the browser made, for a link or a typed address, its state. */
  #adopt() {
    const { history, location } = this.#browser
    if (!this.#follower || isEntry(history.state)) return
    if (location.hash === this.#hash) return this.#write(this.#entry, 'replace')
    const before = this.#entry
    const { place = before.place, view } = this.#follower.split(location.hash)
    const entry = { index: before.index + 1, place, base: place, layers: [] }
    this.#last = entry.index
    this.#write(view === undefined ? entry : { ...entry, own: COMING }, 'replace')
    this.#uncover(view)
    if (place !== before.place) this.#follower.showPlace(place)
    if (view !== undefined) this.#follower.showView(view)
  }

  /**
   * Closes the dialogs over a place to which a link or a typed address led, but not the one that shows the address; without
   * a view the pages too.
   */
  #uncover(view: string | undefined) {
    const kind = (address: string | undefined) => address?.split('/')[1]
    const covering = this.#open.filter(one => one.covers || (view === undefined && one.isPage?.()))
    for (const layer of covering.reverse()) {
      if (view !== undefined && kind(layer.address) === kind(view)) continue
      if (layer.close() === STAYS) return
      this.#open = this.#open.filter(one => one !== layer)
    }
    // A reload opens only what is left.
    this.#settle()
  }

  #moved = () => {
    const { history, location } = this.#browser
    if (!isEntry(history.state)) return this.#adopt()
    if (history.state.index === this.#entry.index) return
    const before = this.#entry
    const wasVacant = this.#isVacant()
    this.#entry = history.state
    this.#hash = location.hash
    this.#last = Math.max(this.#last, this.#entry.index)
    if (!this.#closeOthers()) return
    if (this.#entry.place !== before.place) this.#follower?.showPlace(this.#entry.place)
    this.#showViews()
    const step = this.#entry.index - before.index
    if (wasVacant && step === -1) history.go(-1)
    else if (step === 1 && this.#isDead() && this.#entry.index < this.#last) history.go(1)
  }

  /** Closes the layers that are not in the entry. Returns false if a layer stays open; it gets an entry again. */
  #closeOthers(): boolean {
    const keys = new Set(this.#entry.layers.map(layer => layer.key))
    for (const layer of this.#open.filter(one => !keys.has(one.key)).reverse()) {
      if (layer.close() === STAYS) {
        this.#push(layer)
        return false
      }
      this.#open = this.#open.filter(one => one !== layer)
    }
    return true
  }

  #showViews() {
    for (const { key, address } of this.#entry.layers) {
      const isShown = this.#open.some(layer => layer.key === key && layer.address === address)
      if (address !== undefined && !isShown) this.#follower?.showView(address)
    }
  }

  /** True for the entry of a layer that is closed and does not open again. */
  #isDead() {
    const own = this.#entry.layers.find(layer => layer.key === this.#entry.own)
    return this.#isVacant() && own?.address === undefined
  }
}

function isEntry(state: unknown): state is Entry {
  return typeof state === 'object' && state !== null && 'layers' in state && 'place' in state
}
