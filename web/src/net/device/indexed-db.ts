/**
 * IndexedDB databases. Where they are denied, full or unresponsive, every call returns undefined and the client works
 * without them.
 */
import type { Milliseconds } from '#shared/domain/units.ts'
import { tolerate } from '../../store/device/tolerate.ts'

/** Browsers sometimes never respond to a request, mostly the first after a start. */
const PATIENCE: Milliseconds = 3_000

export interface Database {
  /** Result of the request of `work` once the transaction has committed; undefined if it did not. */
  run<T>(
    store: string,
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T | undefined>
}

export function database(name: string, create: (db: IDBDatabase) => void): Database {
  let opened: Promise<IDBDatabase | undefined> | undefined
  /** After one timeout, calls fail at once until the database responds again. */
  let patience = PATIENCE

  const request: Database['run'] = async (store, mode, work) => {
    opened ??= open(name, create, () => {
      opened = undefined
    })
    const db = await opened
    try {
      return db && (await outcome(db.transaction(store, mode), store, work))
    } catch (error) {
      tolerate(error, DOMException)
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
        return await Promise.race([request(store, mode, work), late])
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

/** Does not wait for open tabs: they close the database on request. */
export function forgetDatabase(name: string): Promise<void> {
  return new Promise(resolve => {
    try {
      const request = indexedDB.deleteDatabase(name)
      request.onsuccess = request.onerror = request.onblocked = () => resolve()
    } catch (error) {
      tolerate(error, DOMException, ReferenceError)
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
      tolerate(error, DOMException, ReferenceError)
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
