/**
 * Mutual exclusion among the tabs of a person. Web Locks need https or localhost; elsewhere the tabs write claims into
 * the database (`withLock`) or elect a holder by messages (`holdLock`).
 */
import type { Milliseconds } from '#shared/domain/units.ts'
import { tolerate } from '../../store/device/tolerate.ts'
import type { Database } from '../device/indexed-db.ts'
import { electHolder } from './tab-election.ts'

const CLAIMED_FOR: Milliseconds = 8_000
const RENEWED_EVERY: Milliseconds = 2_500
const RETRIED_AFTER: Milliseconds = 400
/** A suspended tab that holds the lock must not block the others: the server stores nothing twice. */
const PATIENCE: Milliseconds = 30_000

const tab = Math.random().toString(36).slice(2)

/** Runs `work` while no other tab runs work under this name, or after waiting for `patience`, by default 30 s. */
export async function withLock<T>(
  claims: Database,
  name: string,
  work: () => Promise<T>,
  patience: Milliseconds = PATIENCE,
): Promise<T> {
  return navigator.locks ? underWebLock(name, work, patience) : underClaim(claims, name, work, patience)
}

/**
 * Holds the lock from the moment when it is free until released: `onChange` reports it. Returns the release function. A
 * tab that is closed or crashes releases it, too.
 */
export function holdLock(name: string, onChange: (isHeld: boolean) => void): () => void {
  const release = navigator.locks ? holdWebLock(name, onChange) : electHolder(name, onChange)
  return () => {
    release()
    onChange(false)
  }
}

async function underWebLock<T>(name: string, work: () => Promise<T>, patience: Milliseconds): Promise<T> {
  const limit = Number.isFinite(patience) ? { signal: AbortSignal.timeout(patience) } : {}
  let hasBegun = false
  try {
    return (await navigator.locks.request(name, limit, () => {
      hasBegun = true
      return work()
    })) as T
  } catch (error) {
    if (hasBegun) throw error
    tolerate(error, DOMException)
    return work()
  }
}

function holdWebLock(name: string, onChange: (isHeld: boolean) => void): () => void {
  const waiting = new AbortController()
  let letGo = () => {}
  const held = new Promise<void>(resolve => {
    letGo = resolve
  })
  navigator.locks
    .request(name, { signal: waiting.signal }, () => {
      onChange(true)
      return held
    })
    .catch(error => tolerate(error, DOMException))
  return () => {
    waiting.abort()
    letGo()
  }
}

async function underClaim<T>(
  claims: Database,
  name: string,
  work: () => Promise<T>,
  patience: Milliseconds,
): Promise<T> {
  const until = Date.now() + patience
  while (!(await claim(claims, name)) && Date.now() < until)
    await new Promise(resolve => setTimeout(resolve, RETRIED_AFTER))
  const renewal = setInterval(() => void claim(claims, name), RENEWED_EVERY)
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    await release(claims, name)
  }
}

interface Claim {
  name: string
  tab: string
  until: Milliseconds
}

/** The object store of claims. Its name dates from older clients, whose databases stay on devices. */
const CLAIMS = 'turns'

/** To be called when the database is created. */
export function createClaims(db: IDBDatabase) {
  db.createObjectStore(CLAIMS, { keyPath: 'name' })
}

/** Also true without a database, where nothing can be claimed. */
async function claim(claims: Database, name: string): Promise<boolean> {
  let isFree = true
  await claims.run(CLAIMS, 'readwrite', store => {
    const request: IDBRequest<Claim | undefined> = store.get(name)
    request.onsuccess = () => {
      isFree = !request.result || request.result.tab === tab || request.result.until < Date.now()
      if (isFree) store.put({ name, tab, until: Date.now() + CLAIMED_FOR } satisfies Claim)
    }
    return request
  })
  return isFree
}

function release(claims: Database, name: string) {
  return claims.run(CLAIMS, 'readwrite', store => {
    const request: IDBRequest<Claim | undefined> = store.get(name)
    request.onsuccess = () => {
      if (request.result?.tab === tab) store.delete(name)
    }
    return request
  })
}
