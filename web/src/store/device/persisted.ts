/**
 * Text kept on this device. Storage may be denied or full: then reads return undefined and writes are lost, and the
 * value lives as long as the page.
 */
import { tolerate } from './tolerate.ts'

export interface Persisted {
  /** Null if there is no entry; undefined if storage is denied. */
  read(): string | null | undefined
  write(text: string): void
  remove(): void
  /** Called after another tab has changed the entry. */
  onChange(listener: () => void): void
}

/** Reading the global throws where storage is denied. */
type Area = () => Storage

export function persisted(key: string, area: Area = () => localStorage): Persisted {
  return {
    read: () => attempt(() => area().getItem(key)),
    write: text => attempt(() => area().setItem(key, text)),
    remove: () => attempt(() => area().removeItem(key)),
    onChange: listener => onStorage(changed => changed === key, listener),
  }
}

export interface PersistedGroup {
  /** By name, which is the key without the prefix. */
  readAll(): Map<string, string>
  write(name: string, text: string): void
  remove(name: string): void
  onChange(listener: () => void): void
}

/** All entries whose keys begin with `prefix`. */
export function persistedGroup(prefix: string, area: Area = () => localStorage): PersistedGroup {
  return {
    readAll: () =>
      new Map(
        attempt(() =>
          Object.keys(area())
            .filter(key => key.startsWith(prefix))
            .map(key => [key.slice(prefix.length), area().getItem(key) ?? ''] as const),
        ),
      ),
    write: (name, text) => persisted(prefix + name, area).write(text),
    remove: name => persisted(prefix + name, area).remove(),
    onChange: listener => onStorage(changed => changed.startsWith(prefix), listener),
  }
}

/** Deletes the entries of all tabs that match, and all entries of this tab. */
export function forgetPersisted(matches: (key: string) => boolean) {
  attempt(() => {
    for (const key of Object.keys(localStorage)) if (matches(key)) localStorage.removeItem(key)
    sessionStorage.clear()
  })
}

/** The key is null when the whole storage was cleared. */
function onStorage(matches: (key: string) => boolean, listener: () => void) {
  addEventListener('storage', ({ key }) => {
    if (key === null || matches(key)) listener()
  })
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    tolerate(error, DOMException)
    return undefined
  }
}
