import { expect } from 'chai'
import { type Layer, LayerHistory, STAYS } from './layer-history.ts'

/** The history of a tab, of which every traversal is done at once. */
class FakeBrowser {
  entries: { state: unknown; hash: string }[] = [{ state: null, hash: '' }]
  at = 0
  moved = () => {}
  waiting: (() => void)[] = []
  readonly location: { readonly hash: string }
  readonly history: {
    readonly state: unknown
    pushState: (state: unknown, title: string, url?: string | URL | null) => void
    replaceState: (state: unknown, title: string, url?: string | URL | null) => void
    go: (step?: number) => void
  }

  constructor(hash: string) {
    const tab = this
    tab.entries[0]!.hash = hash
    this.location = {
      get hash() {
        return tab.entries[tab.at]!.hash
      },
    }
    this.history = {
      get state() {
        return structuredClone(tab.entries[tab.at]!.state)
      },
      pushState: (state, _, url) => tab.push(state, String(url ?? tab.location.hash)),
      replaceState(state, _, url) {
        tab.entries[tab.at] = { state, hash: String(url ?? tab.location.hash) }
      },
      go: step => tab.go(step ?? 0),
    }
  }

  push(state: unknown, hash: string) {
    this.entries = [...this.entries.slice(0, ++this.at), { state, hash }]
  }

  go(step: number) {
    if (!this.entries[this.at + step]) return
    this.at += step
    this.moved()
  }

  back = () => this.go(-1)
  forward = () => this.go(1)

  /** A link, or an address typed. */
  follow(hash: string) {
    this.push(null, hash)
    this.moved()
  }

  listen = (moved: () => void) => {
    this.moved = moved
    return () => {}
  }

  later = (run: () => void) => {
    this.waiting.push(run)
  }

  settle() {
    for (const run of this.waiting.splice(0)) run()
  }
}

function tabAt(hash: string, browser = new FakeBrowser(hash)) {
  const layers = new LayerHistory(browser)
  const views: string[] = []
  const places: string[] = []
  const open = new Map<string, Layer>()
  const tab = {
    browser,
    layers,
    views,
    places,
    open: (key: string, address?: string, covers = false, isPage = () => false) => {
      const layer: Layer = { key, address, covers, isPage, close: () => open.delete(key) }
      open.set(key, layer)
      layers.opened(layer)
      return layer
    },
    close: (key: string) => {
      const layer = open.get(key)!
      open.delete(key)
      layers.closed(layer)
    },
    shown: () => [...open.keys()],
  }
  layers.start({
    split: address => {
      const [place, view] = address.split('+')
      return { place: place || undefined, view: view && address }
    },
    showPlace: place => places.push(place),
    showView: address => {
      views.push(address)
      if (!address.includes('missing')) tab.open('view', address)
    },
  })
  return tab
}

describe('history entries of layers', () => {
  it('closes a dialog when a link or a typed address leads elsewhere, and leaves panels open', () => {
    const tab = tabAt('#/c/a')
    tab.open('panel', '#/search/x')
    tab.open('settings', '#/settings/profile', true)
    tab.browser.follow('#/c/b')
    expect(tab.shown()).to.deep.equal(['panel'])
    expect(tab.places.at(-1)).to.equal('#/c/b')
    tab.open('settings', '#/settings/profile', true)
    tab.browser.follow('+#/settings/sessions')
    expect(tab.shown()).to.include('settings')
  })

  it('closes a page when the address of a place is typed, also of the one behind it', () => {
    const tab = tabAt('#/c/a')
    tab.open('panel', '#/admin/people', false, () => true)
    tab.open('dialog', undefined, true)
    tab.browser.follow('#/c/a')
    expect(tab.shown()).to.deep.equal([])
    expect(tab.browser.location.hash).to.equal('#/c/a')
    const { layers } = tab.browser.history.state as { layers: unknown[] }
    expect(layers, 'a reload').to.deep.equal([])
    tab.browser.back()
    expect(tab.views.at(-1)).to.equal('#/admin/people')
  })

  it('lets Back close the topmost layer and nothing else', () => {
    const tab = tabAt('#/c/a')
    tab.browser.follow('#/c/b')
    tab.open('dialog')
    tab.open('menu')
    tab.browser.back()
    expect(tab.shown()).to.deep.equal(['dialog'])
    tab.browser.back()
    expect(tab.shown()).to.deep.equal([])
    expect(tab.browser.location.hash).to.equal('#/c/b')
    tab.browser.back()
    expect(tab.places.at(-1)).to.equal('#/c/a')
  })

  it('does not open a dialog again on Forward, and needs no second Back for it', () => {
    const tab = tabAt('#/c/a')
    tab.browser.follow('#/c/b')
    tab.open('dialog')
    tab.browser.back()
    tab.browser.forward()
    expect(tab.shown()).to.deep.equal([])
    tab.browser.back()
    expect(tab.places.at(-1)).to.equal('#/c/a')
  })

  it('passes over the entries of layers that were closed by hand', () => {
    const tab = tabAt('#/c/a')
    tab.browser.follow('#/c/b')
    tab.open('dialog')
    tab.open('menu')
    tab.close('menu')
    tab.close('dialog')
    tab.browser.settle()
    expect(tab.browser.location.hash).to.equal('#/c/b')
    tab.browser.back()
    expect(tab.places.at(-1)).to.equal('#/c/a')
    tab.browser.forward()
    expect(tab.places.at(-1)).to.equal('#/c/b')
  })

  it('gives the entry of a closed layer to the next one', () => {
    const tab = tabAt('#/c/a')
    tab.open('menu')
    tab.close('menu')
    tab.open('dialog')
    tab.browser.settle()
    expect(tab.browser.entries).to.have.length(2)
    tab.browser.back()
    expect(tab.shown()).to.deep.equal([])
  })

  it('returns to the place below when a layer led to another place', () => {
    const tab = tabAt('#/c/a')
    tab.open('menu')
    tab.close('menu')
    tab.browser.follow('#/c/b')
    tab.browser.settle()
    tab.browser.back()
    expect(tab.places.at(-1)).to.equal('#/c/a')
    expect(tab.shown()).to.deep.equal([])
  })

  it('gives a view its address while it is open', () => {
    const tab = tabAt('#/c/a')
    const view = tab.open('view', '#/c/a+people')
    expect(tab.browser.location.hash).to.equal('#/c/a+people')
    tab.layers.moved(view, '+search')
    expect(tab.browser.location.hash).to.equal('+search')
    tab.close('view')
    tab.browser.settle()
    expect(tab.browser.location.hash).to.equal('#/c/a')
  })

  it('gives an open view the address of a link in it', () => {
    const tab = tabAt('#/c/a')
    const view = tab.open('view', '+threads')
    // The view of this address is shown by the layer that is open.
    tab.browser.follow('#/c/b+missing')
    tab.layers.moved(view, '#/c/b+missing')
    expect(tab.browser.location.hash).to.equal('#/c/b+missing')
    tab.close('view')
    tab.browser.settle()
    expect(tab.browser.location.hash).to.equal('#/c/b')
  })

  it('gives a view its next address also after a dialog above it was closed', () => {
    const tab = tabAt('#/c/a')
    const view = tab.open('view', '+people')
    tab.open('dialog')
    tab.close('dialog')
    tab.browser.settle()
    tab.layers.moved(view, '+channels')
    expect(tab.browser.location.hash).to.equal('+channels')
    tab.close('view')
    tab.browser.settle()
    tab.browser.back()
    expect(tab.browser.location.hash).to.equal('#/c/a')
    expect(tab.shown()).to.deep.equal([])
  })

  it('opens a view again on Forward', () => {
    const tab = tabAt('#/c/a')
    tab.open('view', '#/c/a+people')
    tab.browser.back()
    expect(tab.shown()).to.deep.equal([])
    tab.browser.forward()
    expect(tab.shown()).to.deep.equal(['view'])
    tab.browser.back()
    expect(tab.shown()).to.deep.equal([])
    expect(tab.browser.location.hash).to.equal('#/c/a')
  })

  it('returns to a view that a navigation has closed', () => {
    const tab = tabAt('#/')
    tab.open('view', '+mentions')
    tab.browser.follow('#/c/b')
    tab.close('view')
    tab.browser.settle()
    expect(tab.browser.location.hash).to.equal('#/c/b')
    tab.browser.back()
    expect(tab.shown()).to.deep.equal(['view'])
    expect(tab.places.at(-1)).to.equal('#/')
  })

  it('keeps a panel open over a navigation, and leaves the address to the place', () => {
    const tab = tabAt('#/c/a')
    tab.open('view', '+search')
    tab.browser.follow('#/c/b')
    expect(tab.shown()).to.deep.equal(['view'])
    tab.open('menu')
    tab.close('menu')
    tab.browser.settle()
    expect(tab.browser.location.hash).to.equal('#/c/b')
  })

  it('opens the view of a link over its place, and Back closes it', () => {
    const tab = tabAt('#/c/b+people')
    expect(tab.places).to.deep.equal(['#/c/b'])
    expect(tab.views).to.deep.equal(['#/c/b+people'])
    expect(tab.browser.location.hash).to.equal('#/c/b+people')
    tab.browser.back()
    expect(tab.shown()).to.deep.equal([])
    expect(tab.browser.location.hash).to.equal('#/c/b')
  })

  it('opens a view whose address was typed, with a single entry', () => {
    const tab = tabAt('#/c/a')
    tab.browser.follow('+settings')
    expect(tab.shown()).to.deep.equal(['view'])
    expect(tab.places).to.deep.equal(['#/c/a'])
    tab.browser.back()
    expect(tab.shown()).to.deep.equal([])
    expect(tab.browser.at).to.equal(0)
  })

  it('passes over a view that does not exist', () => {
    const tab = tabAt('#/c/a')
    tab.browser.follow('#/c/b')
    tab.browser.follow('+missing')
    tab.browser.back()
    expect(tab.places.at(-1)).to.equal('#/c/a')
  })

  it('restores place and views after a reload', () => {
    const before = tabAt('#/c/a')
    before.open('view', '+settings')
    before.open('menu')
    const after = tabAt('', before.browser)
    expect(after.places).to.deep.equal(['#/c/a'])
    expect(after.shown()).to.deep.equal(['view'])
    after.browser.back()
    after.browser.back()
    expect(after.shown()).to.deep.equal([])
  })

  it('keeps a layer that refuses to close, with its entry', () => {
    const tab = tabAt('#/c/a')
    let refuses = true
    let isOpen = true
    tab.layers.opened({
      key: 'settings',
      close: () => {
        if (refuses) return STAYS
        isOpen = false
        return undefined
      },
    })
    tab.browser.back()
    expect(tab.browser.at).to.equal(1)
    expect(isOpen).to.equal(true)
    refuses = false
    tab.browser.back()
    expect(isOpen).to.equal(false)
  })

  it('changes the address of a place below an open view', () => {
    const tab = tabAt('#/c/a/m/5')
    tab.open('view', '+search')
    tab.layers.replacePlace('#/c/a')
    expect(tab.browser.location.hash).to.equal('+search')
    tab.close('view')
    tab.browser.settle()
    expect(tab.browser.location.hash).to.equal('#/c/a')
  })

  it('returns the address of the place when a view and the view over it are closed at once', () => {
    const tab = tabAt('#/c/a')
    tab.open('list', '+list')
    tab.open('beside', '+list/5')
    tab.close('beside')
    tab.close('list')
    tab.browser.settle()
    expect(tab.browser.location.hash).to.equal('#/c/a')
  })

  it('ignores a link to the present address', () => {
    const tab = tabAt('#/c/a')
    tab.browser.entries[0]!.state = null
    tab.browser.moved()
    expect(tab.places).to.deep.equal(['#/c/a'])
  })
})
