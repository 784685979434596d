import express, { type Express } from 'express'
import { hostCheck } from '#shared/http/hosts.ts'
import { sessions } from '#shared/http/sessions.ts'
import { collectNotices } from '#shared/notices/outbox.ts'
import type { Config } from '#shared/runtime/config.ts'
import type { Health } from '#shared/runtime/health.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { inviteRoutes } from './account/invites/routes.ts'
import { preferencesRoutes } from './account/preferences/routes.ts'
import { ownAccountRoutes } from './account/profile/routes.ts'
import { accountRoutes } from './account/routes.ts'
import { settingsRoutes } from './account/settings/routes.ts'
import { statusRoutes } from './account/status/routes.ts'
import { administrationRoutes } from './administration/routes.ts'
import { workspaceLookRoutes, workspaceRoutes } from './administration/workspace/routes.ts'
import { callRoutes } from './calls/routes.ts'
import { screenshareRoutes } from './calls/screenshares/routes.ts'
import { channelDaysRoutes } from './channels/days/routes.ts'
import { channelInfoRoutes } from './channels/info/routes.ts'
import { privateChannelRoutes } from './channels/private/routes.ts'
import { publicChannelRoutes } from './channels/public/routes.ts'
import { readStateRoutes } from './channels/read-state/routes.ts'
import { channelRoutes } from './channels/routes.ts'
import { sidebarRoutes } from './channels/sidebar/routes.ts'
import { channelFilesRoutes } from './files/channel-files-routes.ts'
import { emojiRoutes } from './files/emoji/routes.ts'
import { previewRoutes } from './files/previews/routes.ts'
import { fileRoutes } from './files/routes.ts'
import { uploadRoutes } from './files/uploads/routes.ts'
import { draftRoutes } from './messages/drafts/routes.ts'
import { editsRoutes } from './messages/edits/routes.ts'
import { forwardRoutes } from './messages/forward/routes.ts'
import { inboxRoutes } from './messages/inbox/routes.ts'
import { pinRoutes } from './messages/pins/routes.ts'
import { messageLinkRoutes, messageRoutes } from './messages/routes.ts'
import { savedRoutes } from './messages/saved/routes.ts'
import { scheduledRoutes } from './messages/scheduled/routes.ts'
import { threadRoutes } from './messages/threads/routes.ts'
import { adminsOnly } from './middleware/administration.ts'
import { sameSite } from './middleware/csrf.ts'
import { sendErrors } from './middleware/errors.ts'
import { securityHeaders } from './middleware/headers.ts'
import { limitRates } from './middleware/rate-limits.ts'
import { nameRequest } from './middleware/request-id.ts'
import { requestLog } from './middleware/request-log.ts'
import { signedIn } from './middleware/signed-in.ts'
import { AuthorityCertificate } from './pages/authority.ts'
import { clientErrorRoutes } from './pages/client-errors/routes.ts'
import { clientFileRoutes } from './pages/client-files.ts'
import { errorPage } from './pages/error-page.ts'
import { setLook } from './pages/page.ts'
import { pageRoutes } from './pages/routes.ts'
import { clientConfigRoutes, versionRoutes } from './pages/server-info/routes.ts'
import { trustRoutes } from './pages/trust-routes.ts'
import { groupRoutes } from './people/groups/routes.ts'
import { presenceRoutes, silentPresenceRoutes } from './people/presence/routes.ts'
import { peopleAdministrationRoutes, peopleRoutes } from './people/routes.ts'
import { searchRoutes } from './search/routes.ts'

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
  const authority = new AuthorityCertificate(config.authorityCertificate)
  app.use(nameRequest(config.trustProxy))
  app.use(requestLog(stores.settings))
  app.use(securityHeaders(config))
  app.use((req, _res, next) => {
    if (!isOurs(req.headers.host)) throw errors.unknownHost()
    next()
  })
  app.use(clientFileRoutes())
  app.use(versionRoutes())
  app.use(sameSite(config))
  app.use(clientErrorRoutes(stores)) // 10.2
  app.use(sessions(stores, config))
  app.use(limitRates(stores)) // 8; decisions, Rate limits

  app.use(pageRoutes(stores, config)) // 4.1 /, /about, /forgot-password
  app.use(trustRoutes(authority, config)) // 10.35
  app.use(accountRoutes(stores, config)) // 4.1, 5
  app.use(silentPresenceRoutes(stores)) // 4.6, without a session
  app.use(messageLinkRoutes(stores)) // 10
  app.use(workspaceLookRoutes(stores)) // 10.16, without a session

  app.use(signedIn)
  app.use(clientConfigRoutes(stores, config, authority))
  app.use(channelRoutes(stores)) // 4.2
  app.use(messageRoutes(stores)) // 4.3
  app.use(readStateRoutes(stores)) // 4.3, 10.3
  app.use(searchRoutes(stores)) // 10.1
  app.use(sidebarRoutes(stores)) // 10.3
  app.use(statusRoutes(stores)) // 10.24
  app.use(publicChannelRoutes(stores)) // 10.14
  app.use(channelInfoRoutes(stores)) // 10.14
  app.use(emojiRoutes(stores)) // 10.31
  app.use(editsRoutes(stores)) // 10.32
  app.use(channelDaysRoutes(stores)) // 10.34
  app.use(threadRoutes(stores)) // 10.26
  app.use(inboxRoutes(stores)) // 10
  app.use(preferencesRoutes(stores)) // 10
  app.use(inviteRoutes(stores, config)) // 10.13
  app.use(workspaceRoutes(stores)) // 10.16
  app.use(ownAccountRoutes(stores, config)) // 10.15
  app.use('/admin', adminsOnly(stores))
  app.use(peopleRoutes(stores)) // 10.20
  app.use(peopleAdministrationRoutes(stores, config)) // 10.21
  app.use(administrationRoutes(stores)) // 10.23
  app.use(groupRoutes(stores)) // 10.25
  app.use(forwardRoutes(stores)) // 10.4
  app.use(pinRoutes(stores)) // 10.27
  app.use(savedRoutes(stores)) // 10.28
  app.use(scheduledRoutes(stores)) // 10.29
  app.use(draftRoutes(stores)) // 10.29
  app.use(fileRoutes(stores)) // 4.4
  app.use(channelFilesRoutes(stores)) // 10.30
  app.use(uploadRoutes(stores)) // 10.30
  app.use(previewRoutes(stores)) // 4.4
  app.use(settingsRoutes(stores)) // 4.5
  app.use(presenceRoutes(stores)) // 4.6
  app.use(privateChannelRoutes(stores)) // 4.7
  app.use(callRoutes(stores)) // 4.8, 4.10
  app.use(screenshareRoutes(stores)) // 4.9, 4.10

  app.use(() => {
    throw errors.notFound()
  })
  app.use(sendErrors(errorPage(config)))
  return app
}
