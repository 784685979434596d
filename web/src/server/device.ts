/**
 * Databases of this browser. Where they are denied, full or do not answer, every question is answered with nothing and the client
 * does without: it is then as if the device forgot at once.
 */
import type { Milliseconds } from '#shared/rules/units.ts'

/** Browsers are known to leave a question open for ever, mostly the first one after a start. */
const PATIENCE: Milliseconds = 3_000

export interface Database {
  /** What the request of `work` answered, once it is safely stored; undefined if that did not come about. */
  run<T>(
    store: string,
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T | undefined>
}

export function database(name: string, create: (db: IDBDatabase) => void): Database {
  let opened: Promise<IDBDatabase | undefined> | undefined
  /** Nobody waits twice for one that does not answer; once it does, it is asked as before. */
  let patience = PATIENCE

  const ask: Database['run'] = async (store, mode, work) => {
    opened ??= open(name, create, () => {
      opened = undefined
    })
    const db = await opened
    try {
      return db && (await outcome(db.transaction(store, mode), store, work))
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
      return undefined
    } finally {
      patience = PATIENCE
    }
  }

  return {
    async run(store, mode, work) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const late = new Promise<undefined>(resolve => {
        timer = setTimeout(() => {
          patience = 0
          resolve(undefined)
        }, patience)
      })
      try {
        return await Promise.race([ask(store, mode, work), late])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** Waits for nobody: open tabs let go of it when they are asked to. */
export function forgetDatabase(name: string): Promise<void> {
  return new Promise(resolve => {
    try {
      const request = indexedDB.deleteDatabase(name)
      request.onsuccess = request.onerror = request.onblocked = () => resolve()
    } catch (error) {
      if (!(error instanceof DOMException || error instanceof ReferenceError)) throw error
      resolve()
    }
  })
}

function open(name: string, create: (db: IDBDatabase) => void, onClosed: () => void) {
  return new Promise<IDBDatabase | undefined>(resolve => {
    try {
      const request = indexedDB.open(name, 1)
      request.onupgradeneeded = () => create(request.result)
      request.onerror = () => resolve(undefined)
      request.onsuccess = () => {
        const db = request.result
        db.onclose = onClosed
        db.onversionchange = () => {
          db.close()
          onClosed()
        }
        resolve(db)
      }
    } catch (error) {
      if (!(error instanceof DOMException || error instanceof ReferenceError)) throw error
      resolve(undefined)
    }
  })
}

function outcome<T>(
  transaction: IDBTransaction,
  store: string,
  work: (store: IDBObjectStore) => IDBRequest<T>,
) {
  return new Promise<T>((resolve, reject) => {
    const request = work(transaction.objectStore(store))
    transaction.oncomplete = () => resolve(request.result)
    transaction.onabort = () => reject(transaction.error ?? new DOMException('aborted', 'AbortError'))
  })
}
