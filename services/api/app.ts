import express, { type Express } from 'express'
import { hostCheck } from '#shared/http/hosts.ts'
import { collectNotices } from '#shared/notices/outbox.ts'
import type { Config } from '#shared/runtime/config.ts'
import type { Health } from '#shared/runtime/health.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { lateAnswerEndpoints } from './commands/routes.ts'
import { ENDPOINTS, WITH_SESSIONS } from './endpoints.ts'
import { hookAddressEndpoints } from './hooks/address-routes.ts'
import { mcpDoor } from './mcp/door.ts'
import { adminsOnly } from './middleware/administration.ts'
import { authenticate, knownToken } from './middleware/authenticate.ts'
import { sameSite } from './middleware/csrf.ts'
import { errorsWithId, sendErrors } from './middleware/errors.ts'
import { securityHeaders } from './middleware/headers.ts'
import { formsOfErrors, mount } from './middleware/mount.ts'
import { limitRequests } from './middleware/rate-limits.ts'
import { nameRequest } from './middleware/request-id.ts'
import { requestLog } from './middleware/request-log.ts'
import { signedIn } from './middleware/signed-in.ts'
import { assetRoutes } from './pages/assets.ts'
import { clientErrorEndpoints } from './pages/client-errors/routes.ts'
import { clientFileRoutes } from './pages/client-files.ts'
import { errorPage } from './pages/error-page.ts'
import { setLook } from './pages/page.ts'
import { versionEndpoints } from './pages/server-info/routes.ts'
import { slackUploadEndpoints } from './slack-api/upload-routes.ts'

/** Assembles the interface: middleware for every request, then the areas. */
export function createApp(stores: Stores, config: Config, health: Health): Express {
  const app = express()
  app.set('query parser', 'simple')
  app.set('trust proxy', config.trustProxy)
  app.set('etag', false)
  app.disable('x-powered-by')
  setLook(app, stores.settings)

  app.use((req, res, next) => {
    if (!health.answer(req, res)) next()
  })
  app.use((_req, res, next) => collectNotices(res, next))
  const isOurs = hostCheck(config)
  const services = { stores, config }
  app.use(nameRequest(config.trustProxy))
  app.use(requestLog(stores.settings))
  app.use(securityHeaders(config))
  app.use((req, _res, next) => {
    if (!isOurs(req.headers.host)) throw errors.unknownHost()
    next()
  })
  app.use(clientFileRoutes())
  app.use(mount(lateAnswerEndpoints, services))
  app.use(mount(versionEndpoints, services))
  app.use(mount(hookAddressEndpoints, services))
  app.use('/mcp', errorsWithId, mcpDoor(services))
  app.use(mount(slackUploadEndpoints, services))
  app.use(sameSite(config))
  app.use(mount(clientErrorEndpoints, services))
  app.use(authenticate(stores, config))
  app.use(formsOfErrors(ENDPOINTS))
  app.use(limitRequests(stores)) // interface 8
  app.use(knownToken)
  app.use(assetRoutes())
  app.use(mount(WITH_SESSIONS, services))
  // Addresses without an endpoint.
  app.use(signedIn)
  app.use('/admin', adminsOnly(stores))
  app.use(() => {
    throw errors.notFound()
  })
  app.use(sendErrors(errorPage(config)))
  return app
}
