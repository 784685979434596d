import type { Request } from 'express'
import { ClientConfigPayload, VersionPayload } from '#shared/domain/payloads/client.ts'
import type { Config } from '#shared/runtime/config.ts'
import { maxFileBytes } from '#shared/runtime/settings.ts'
import { COMMIT, VERSION } from '#shared/runtime/version.ts'
import { endpoint, payload } from '../../middleware/endpoint.ts'
import { addressForOthers } from '../../middleware/origin.ts'
import { authorityOf } from '../authority.ts'
import { clientBuild } from '../client-page.ts'

/** GET /version: no session needed (interface 9). */
export const versionEndpoints = [
  endpoint(
    'GET /version',
    {
      summary: 'Tells the versions of the server, its interface and its client.',
      who: 'anybody',
      within: 'anywhere',
      errors: 'text',
      answers: { 200: payload(VersionPayload) },
    },
    async () => {
      const payload: VersionPayload = {
        version: VERSION,
        commit: COMMIT,
        api: 1,
        client: await clientBuild(),
      }
      return payload
    },
  ),
]

/** GET /client_config (interface 8). */
export const clientConfigEndpoints = [
  endpoint(
    'GET /client_config',
    {
      summary: 'Tells the limits and addresses that a client needs.',
      who: 'signed in',
      within: 'anywhere',
      errors: 'text',
      answers: { 200: payload(ClientConfigPayload) },
    },
    async ({ stores, config, req }) => {
      const settings = stores.settings.current
      const payload: ClientConfigPayload = {
        max_file_bytes: maxFileBytes(settings),
        max_avatar_bytes: maxFileBytes(settings, settings.max_avatar_size_mb),
        max_message_chars: settings.max_message_chars,
        retention_days: settings.retention_days,
        ice_servers: [{ urls: [`stun:${hostOf(req, config)}:${config.stunPort ?? settings.stun_port}`] }],
        version: VERSION,
        authority: (await authorityOf(config).read())?.fingerprint ?? null,
        address: addressForOthers(req, config),
      }
      return payload
    },
  ),
]

const hostOf = (req: Request, config: Config) => config.publicUrl?.hostname ?? req.hostname
