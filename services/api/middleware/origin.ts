import type { Request } from 'express'
import { isThisMachine } from '#shared/domain/own-network.ts'
import type { Config } from '#shared/runtime/config.ts'
import { officeHost } from '#shared/runtime/office-host.ts'

type Known = Pick<Config, 'publicUrl' | 'frontDoorHost'>

/**
 * The origin of links for other people: PUBLIC_URL, else that of the request; to a request of this machine itself the
 * address of this machine in the office, if there is one. The `Host` of a request is one of this server's: others are
 * refused before.
 */
export function originForOthers(req: Request, { publicUrl, frontDoorHost }: Known): string {
  if (publicUrl) return publicUrl.origin
  const own = new URL(`${req.protocol}://${req.get('host')}`)
  const office = isThisMachine(own.hostname) ? officeHost(frontDoorHost) : undefined
  if (office !== undefined) own.hostname = office
  return own.origin
}

/** Null if only this machine can open it. */
export function addressForOthers(req: Request, known: Known): string | null {
  const origin = originForOthers(req, known)
  return isThisMachine(new URL(origin).hostname) ? null : origin
}
