import type { LinkPreviewPayload } from '#shared/rules/payloads.ts'
import type { Guard } from './guarded-fetch.ts'

export interface About {
  guard: Guard
  /** Fetches, checks and re-encodes a picture and answers our own address of it, or undefined. */
  keepPicture(url: URL, signal: AbortSignal): Promise<string | undefined>
  signal: AbortSignal
}

/** The card of an address (interface 2.9), `{}` when there is none. Throws only what may be different soon. */
export async function previewUrl(_text: string, _about: About): Promise<LinkPreviewPayload> {
  return {}
}
