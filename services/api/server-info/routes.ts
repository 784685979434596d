import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Request, Router } from 'express'
import type { ClientConfigPayload, VersionPayload } from '#shared/domain/payloads.ts'
import { type Config, ROOT } from '#shared/runtime/config.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { clientBuild } from '../pages/client-page.ts'

const MIB = 1024 * 1024
/** Bytes for boundaries, headers and the other form fields beside the file. */
const FORM_OVERHEAD = 64 * 1024

/** GET /version: no session needed (decisions, Versioning). */
export function versionRoutes(): Router {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const commit = process.env['BOTHY_COMMIT'] ?? 'unknown'
  const routes = Router()
  routes.get('/version', async (_req, res) => {
    const payload: VersionPayload = { version, commit, api: 1, client: await clientBuild() }
    res.json(payload)
  })
  return routes
}

/** GET /client_config (decisions, Upload limits). */
export function clientConfigRoutes(stores: Stores, config: Config): Router {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  const routes = Router()
  routes.get('/client_config', (req, res) => {
    const settings = stores.settings.current
    const mostInRequest = settings.max_request_size_mb * MIB - FORM_OVERHEAD
    const payload: ClientConfigPayload = {
      max_file_bytes: Math.floor(Math.min(settings.max_upload_size_mb * MIB, mostInRequest)),
      max_avatar_bytes: Math.floor(Math.min(settings.max_avatar_size_mb * MIB, mostInRequest)),
      max_message_chars: settings.max_message_chars,
      ice_servers: [{ urls: [`stun:${hostOf(req, config)}:${config.stunPort ?? settings.stun_port}`] }],
      version,
    }
    res.json(payload)
  })
  return routes
}

const hostOf = (req: Request, config: Config) => config.publicUrl?.hostname ?? req.hostname
