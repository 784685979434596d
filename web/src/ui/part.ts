/**
 * The client has two entries: the app, and everything that the first screen does not need, which is fetched as one chunk
 * after it (`app/after-first-screen.ts`). Code of the first names a module of the second by its type alone.
 */
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'

let fetchChunk: () => Promise<unknown> = () => Promise.reject(new TypeError('No second entry'))
let fetching: Promise<unknown> | undefined

/** Call once, before the first render. */
export function setSecondEntry(load: typeof fetchChunk) {
  fetchChunk = load
}

function fetchSecondEntry() {
  fetching ??= fetchChunk().catch(error => {
    fetching = undefined
    throw error
  })
  return fetching
}

let onFailure: (retry: () => void) => void = () => {}
/** Called when a part that is shown or used could not be fetched. */
export function onLoadFailed(listener: typeof onFailure) {
  onFailure = listener
}

/** Props of a component; `object` if it has none. */
type PropsOf<C> = C extends (...args: infer A) => unknown
  ? A extends [infer P, ...unknown[]]
    ? P
    : object
  : never

/** A module of the second entry, which fills it. */
export class Part<M extends object> {
  readonly #module = signal<M | undefined>(undefined)
  readonly #chunk: (() => Promise<M>) | undefined
  #isAsked = false

  constructor(chunk?: () => Promise<M>) {
    this.#chunk = chunk
  }

  fill(module: M) {
    this.#module.value = module
  }

  /** The module, if it is there. */
  get now(): M | undefined {
    return this.#module.peek()
  }

  /** The module for this render, which runs again when it is there. Does not fetch it. */
  get arrived(): M | undefined {
    return this.#module.value
  }

  /** Rejects if the chunk cannot be fetched; the next call tries again. */
  async load(): Promise<M> {
    if (!this.now && this.#chunk) this.fill(await this.#chunk())
    else if (!this.now) await fetchSecondEntry()
    return this.now!
  }

  /**
   * Runs when the module has arrived, never within the call: the press or the change of address that caused it is then
   * over, and does not close what opens. A failed fetch is reported, and may be repeated.
   */
  use(run: (module: M) => void) {
    this.load().then(run, () => onFailure(() => this.use(run)))
  }

  /**
   * A component of the module for this render; undefined until it is there, which renders again. The first call fetches it,
   * after `when`.
   */
  get<K extends keyof M>(name: K, when?: () => Promise<void>): ComponentType<PropsOf<M[K]>> | undefined {
    const module = this.#module.value
    if (!module) this.#ask(when)
    return module?.[name] as ComponentType<PropsOf<M[K]>> | undefined
  }

  #ask(when?: () => Promise<void>) {
    if (this.#isAsked) return
    this.#isAsked = true
    const asked = when ? when().then(() => this.load()) : this.load()
    asked.catch(() => {
      this.#isAsked = false
      onFailure(() => this.#ask())
    })
  }
}

/** `part<typeof import('./Panel.tsx')>()`: no code of that module gets into the first entry. `chunk`: the module has a chunk of its own. */
export const part = <M extends object>(chunk?: () => Promise<M>) => new Part<M>(chunk)
