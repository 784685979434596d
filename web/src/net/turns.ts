/** Mutual exclusion among the tabs of a person. */
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Database } from './device.ts'

const CLAIMED_FOR: Milliseconds = 8_000
const RENEWED_EVERY: Milliseconds = 2_500
const ASKED_AGAIN: Milliseconds = 400
/** A suspended tab that holds the turn must not block the others: the server stores nothing twice. */
const PATIENCE: Milliseconds = 30_000

const tab = Math.random().toString(36).slice(2)

/** Web Locks need https or localhost; elsewhere the tabs write claims into the database. */
export async function inTurn<T>(database: Database, name: string, work: () => Promise<T>): Promise<T> {
  return navigator.locks ? underLock(name, work) : underClaim(database, name, work)
}

async function underLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  let begun = false
  try {
    return (await navigator.locks.request(name, { signal: AbortSignal.timeout(PATIENCE) }, () => {
      begun = true
      return work()
    })) as T
  } catch (error) {
    if (begun || !(error instanceof DOMException)) throw error
    return work()
  }
}

async function underClaim<T>(database: Database, name: string, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + PATIENCE
  while (!(await claim(database, name)) && Date.now() < until)
    await new Promise(resolve => setTimeout(resolve, ASKED_AGAIN))
  const renewal = setInterval(() => void claim(database, name), RENEWED_EVERY)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    await release(database, name)
  }
}

interface Claim {
  name: string
  tab: string
  until: Milliseconds
}

/** Also true without a database, where nothing can be claimed. */
async function claim(database: Database, name: string): Promise<boolean> {
  let isFree = true
  await database.run('turns', 'readwrite', store => {
    const asked: IDBRequest<Claim | undefined> = store.get(name)
    asked.onsuccess = () => {
      isFree = !asked.result || asked.result.tab === tab || asked.result.until < Date.now()
      if (isFree) store.put({ name, tab, until: Date.now() + CLAIMED_FOR } satisfies Claim)
    }
    return asked
  })
  return isFree
}

function release(database: Database, name: string) {
  return database.run('turns', 'readwrite', store => {
    const asked: IDBRequest<Claim | undefined> = store.get(name)
    asked.onsuccess = () => {
      if (asked.result?.tab === tab) store.delete(name)
    }
    return asked
  })
}
