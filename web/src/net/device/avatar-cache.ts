/**
 * The most recent avatars, kept on this device for use without a server. Deleted with the session (sw.js knows the
 * name, too) and when another person uses the browser. The Cache API needs https or localhost.
 */
import type { Username } from '#shared/domain/units.ts'
import { tolerate } from '../../store/device/tolerate.ts'

const NAME = 'bothy faces'
const MOST = 200
/** Bytes. The client's own uploads are a tenth of it; others may send larger ones through the API. */
const LARGEST = 100_000

const addressOf = (name: Username) => `/avatar/${encodeURIComponent(name.toLowerCase())}`

export interface Face {
  tag: string
  picture: Blob
}

export async function cacheAvatar(name: Username, face: Face | undefined) {
  await attempt(async cache => {
    if (!face || face.picture.size > LARGEST) return void (await cache.delete(addressOf(name)))
    await cache.put(addressOf(name), new Response(face.picture, { headers: { ETag: face.tag } }))
    const all = await cache.keys()
    await Promise.all(all.slice(0, -MOST).map(old => cache.delete(old)))
  })
}

export const cachedAvatar = (name: Username): Promise<Face | undefined> =>
  attempt(async cache => {
    const kept = await cache.match(addressOf(name))
    return kept && { tag: kept.headers.get('ETag') ?? '', picture: await kept.blob() }
  })

export function forgetAvatars() {
  if ('caches' in globalThis) void caches.delete(NAME).catch(() => {})
}

/** Private windows and full disks: nothing is kept. */
async function attempt<T>(what: (cache: Cache) => Promise<T>): Promise<T | undefined> {
  if (!('caches' in globalThis)) return undefined
  try {
    return await what(await caches.open(NAME))
  } catch (error) {
    tolerate(error, DOMException, TypeError)
    return undefined
  }
}
