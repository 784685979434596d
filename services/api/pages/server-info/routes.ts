import { type Request, Router } from 'express'
import type { ClientConfigPayload, VersionPayload } from '#shared/domain/payloads.ts'
import type { Config } from '#shared/runtime/config.ts'
import { maxFileBytes } from '#shared/runtime/settings.ts'
import { COMMIT, VERSION } from '#shared/runtime/version.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { addressForOthers } from '../../middleware/origin.ts'
import type { AuthorityCertificate } from '../authority.ts'
import { clientBuild } from '../client-page.ts'

/** GET /version: no session needed (decisions, Versioning). */
export function versionRoutes(): Router {
  const routes = Router()
  routes.get('/version', async (_req, res) => {
    const payload: VersionPayload = { version: VERSION, commit: COMMIT, api: 1, client: await clientBuild() }
    res.json(payload)
  })
  return routes
}

/** GET /client_config (decisions, Upload limits). */
export function clientConfigRoutes(stores: Stores, config: Config, authority: AuthorityCertificate): Router {
  const routes = Router()
  routes.get('/client_config', async (req, res) => {
    const settings = stores.settings.current
    const payload: ClientConfigPayload = {
      max_file_bytes: maxFileBytes(settings),
      max_avatar_bytes: maxFileBytes(settings, settings.max_avatar_size_mb),
      max_message_chars: settings.max_message_chars,
      retention_days: settings.retention_days,
      ice_servers: [{ urls: [`stun:${hostOf(req, config)}:${config.stunPort ?? settings.stun_port}`] }],
      version: VERSION,
      authority: (await authority.read())?.fingerprint ?? null,
      address: addressForOthers(req, config),
    }
    res.json(payload)
  })
  return routes
}

const hostOf = (req: Request, config: Config) => config.publicUrl?.hostname ?? req.hostname
