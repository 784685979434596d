import { inviteEndpoints as invitationEndpoints } from './account/invites/routes.ts'
import { resetEndpoints } from './account/password/reset-routes.ts'
import { preferencesEndpoints } from './account/preferences/routes.ts'
import { ownAccountEndpoints } from './account/profile/routes.ts'
import { accountEndpoints } from './account/routes.ts'
import { settingsEndpoints } from './account/settings/routes.ts'
import { logInEndpoints } from './account/sign-in/log-in-routes.ts'
import { claimEndpoints } from './account/sign-up/claim-routes.ts'
import { inviteEndpoints } from './account/sign-up/invite-routes.ts'
import { signUpEndpoints } from './account/sign-up/sign-up-routes.ts'
import { statusEndpoints } from './account/status/routes.ts'
import { administrationEndpoints } from './administration/routes.ts'
import { workspaceEndpoints, workspaceLookEndpoints } from './administration/workspace/routes.ts'
import { callEndpoints } from './calls/routes.ts'
import { screenshareEndpoints } from './calls/screenshares/routes.ts'
import { channelDaysEndpoints } from './channels/days/routes.ts'
import { channelInfoEndpoints } from './channels/info/routes.ts'
import { privateChannelEndpoints } from './channels/private/routes.ts'
import { publicChannelEndpoints } from './channels/public/routes.ts'
import { readStateEndpoints } from './channels/read-state/routes.ts'
import { channelEndpoints } from './channels/routes.ts'
import { sidebarEndpoints } from './channels/sidebar/routes.ts'
import { channelFilesEndpoints } from './files/channel-files-routes.ts'
import { emojiEndpoints } from './files/emoji/routes.ts'
import { previewEndpoints } from './files/previews/routes.ts'
import { fileEndpoints } from './files/routes.ts'
import { uploadEndpoints } from './files/uploads/routes.ts'
import { draftEndpoints } from './messages/drafts/routes.ts'
import { editsEndpoints } from './messages/edits/routes.ts'
import { forwardEndpoints } from './messages/forward/routes.ts'
import { inboxEndpoints } from './messages/inbox/routes.ts'
import { pinEndpoints } from './messages/pins/routes.ts'
import { messageEndpoints, messageLinkEndpoints } from './messages/routes.ts'
import { savedEndpoints } from './messages/saved/routes.ts'
import { scheduledEndpoints } from './messages/scheduled/routes.ts'
import { threadEndpoints } from './messages/threads/routes.ts'
import type { Endpoint } from './middleware/endpoint.ts'
import { clientErrorEndpoints } from './pages/client-errors/routes.ts'
import { pageEndpoints } from './pages/routes.ts'
import { clientConfigEndpoints, versionEndpoints } from './pages/server-info/routes.ts'
import { trustEndpoints } from './pages/trust-routes.ts'
import { groupEndpoints } from './people/groups/routes.ts'
import { presenceEndpoints, silentPresenceEndpoints } from './people/presence/routes.ts'
import { peopleAdministrationEndpoints, peopleEndpoints } from './people/routes.ts'
import { searchEndpoints } from './search/routes.ts'

/** Mounted before the sessions: they need no store. */
export const BEFORE_SESSIONS: readonly Endpoint[] = [...versionEndpoints, ...clientErrorEndpoints] // decisions, Versioning; 10.2

/** The interface in its order; a path belongs to the first that matches. */
export const WITH_SESSIONS: readonly Endpoint[] = [
  ...pageEndpoints, // 4.1 /, /about, /forgot-password
  ...trustEndpoints, // 10.35
  ...logInEndpoints, // 4.1, 5
  ...signUpEndpoints,
  ...resetEndpoints,
  ...claimEndpoints,
  ...inviteEndpoints,
  ...accountEndpoints,
  ...silentPresenceEndpoints, // 4.6, without a session
  ...messageLinkEndpoints, // 10
  ...workspaceLookEndpoints, // 10.16, without a session

  ...clientConfigEndpoints,
  ...channelEndpoints, // 4.2
  ...messageEndpoints, // 4.3
  ...readStateEndpoints, // 4.3, 10.3
  ...searchEndpoints, // 10.1
  ...sidebarEndpoints, // 10.3
  ...statusEndpoints, // 10.24
  ...publicChannelEndpoints, // 10.14
  ...channelInfoEndpoints, // 10.14
  ...emojiEndpoints, // 10.31
  ...editsEndpoints, // 10.32
  ...channelDaysEndpoints, // 10.34
  ...threadEndpoints, // 10.26
  ...inboxEndpoints, // 10
  ...preferencesEndpoints, // 10
  ...invitationEndpoints, // 10.13
  ...workspaceEndpoints, // 10.16
  ...ownAccountEndpoints, // 10.15
  ...peopleEndpoints, // 10.20
  ...peopleAdministrationEndpoints, // 10.21
  ...administrationEndpoints, // 10.23
  ...groupEndpoints, // 10.25
  ...forwardEndpoints, // 10.4
  ...pinEndpoints, // 10.27
  ...savedEndpoints, // 10.28
  ...scheduledEndpoints, // 10.29
  ...draftEndpoints, // 10.29
  ...fileEndpoints, // 4.4
  ...channelFilesEndpoints, // 10.30
  ...uploadEndpoints, // 10.30
  ...previewEndpoints, // 4.4
  ...settingsEndpoints, // 4.5
  ...presenceEndpoints, // 4.6
  ...privateChannelEndpoints, // 4.7
  ...callEndpoints, // 4.8, 4.10
  ...screenshareEndpoints, // 4.9, 4.10
]

/** Every endpoint of the interface but /healthz, /metrics and the files of the client. Needs no stores. */
export const ENDPOINTS: readonly Endpoint[] = [...BEFORE_SESSIONS, ...WITH_SESSIONS]

/** `GET /pins/:channel` of each. */
export const ROUTES: readonly string[] = ENDPOINTS.map(
  ({ method, path }) => `${method.toUpperCase()} ${path}`,
)
