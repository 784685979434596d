/**
 * The faces that were seen last, on this device, for moments without a server. They go with the session (sw.js knows the
 * name, too), and when somebody else uses the browser. Browsers keep them under https and on the machine itself only.
 */
import type { Username } from '#shared/rules/units.ts'

const NAME = 'bothy faces'
const MOST = 200
/** Bytes. Ours are a tenth of it; somebody may have sent another by hand. */
const LARGEST = 100_000

const addressOf = (name: Username) => `/avatar/${encodeURIComponent(name.toLowerCase())}`

export async function keepFace(name: Username, picture: Blob | undefined) {
  await attempt(async cache => {
    if (!picture || picture.size > LARGEST) return void (await cache.delete(addressOf(name)))
    await cache.put(addressOf(name), new Response(picture))
    const all = await cache.keys()
    await Promise.all(all.slice(0, -MOST).map(old => cache.delete(old)))
  })
}

export const keptFace = (name: Username): Promise<Blob | undefined> =>
  attempt(async cache => (await cache.match(addressOf(name)))?.blob())

export function forgetFaces() {
  if ('caches' in globalThis) void caches.delete(NAME).catch(() => {})
}

/** A private window, a full disk: then they are not kept. */
async function attempt<T>(what: (cache: Cache) => Promise<T>): Promise<T | undefined> {
  if (!('caches' in globalThis)) return undefined
  try {
    return await what(await caches.open(NAME))
  } catch (error) {
    if (!(error instanceof DOMException || error instanceof TypeError)) throw error
    return undefined
  }
}
