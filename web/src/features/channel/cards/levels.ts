/** The bars of a sound. */
export const LEVELS = 48

/** In bytes; larger sounds are not decoded as a whole, and have flat bars. */
const MOST_DECODED = 4 * 1024 * 1024
/** In Hz, the lowest that browsers must support: enough for bars, and a sixth of the memory. */
const RATE = 8_000

/** The loudness of each part of a sound, 0 to 1. Undefined if it is too large, or not decodable. */
export async function levelsIn(address: string, size: number | undefined): Promise<number[] | undefined> {
  if (size === undefined || size > MOST_DECODED) return undefined
  try {
    const response = await fetch(address)
    if (!response.ok) return undefined
    const sound = await new OfflineAudioContext(1, 1, RATE).decodeAudioData(await response.arrayBuffer())
    return levelsOf(sound.getChannelData(0))
  } catch {
    // Without a connection, or with a codec that only the player knows: the bars stay flat.
    return undefined
  }
}

/** The loudest sample of each of `LEVELS` parts, relative to the loudest of all. */
export function levelsOf(samples: Float32Array): number[] {
  const peaks = Array.from({ length: LEVELS }, (_, at) => {
    const from = Math.floor((at * samples.length) / LEVELS)
    const to = Math.floor(((at + 1) * samples.length) / LEVELS)
    let peak = 0
    for (let index = from; index < to; index++) peak = Math.max(peak, Math.abs(samples[index]!))
    return peak
  })
  const most = Math.max(...peaks)
  return peaks.map(peak => (most > 0 ? peak / most : 0))
}
