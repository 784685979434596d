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
import { tokenEndpoints } from './account/tokens/routes.ts'
import { administrationEndpoints } from './administration/routes.ts'
import { workspaceEndpoints, workspaceLookEndpoints } from './administration/workspace/routes.ts'
import { documentEndpoints } from './api-document/routes.ts'
import { botEndpoints } from './bots/routes.ts'
import { callEndpoints } from './calls/routes.ts'
import { screenshareEndpoints } from './calls/screenshares/routes.ts'
import { channelDaysEndpoints } from './channels/days/routes.ts'
import { channelInfoEndpoints } from './channels/info/routes.ts'
import { privateChannelEndpoints } from './channels/private/routes.ts'
import { publicChannelEndpoints } from './channels/public/routes.ts'
import { readStateEndpoints } from './channels/read-state/routes.ts'
import { channelEndpoints } from './channels/routes.ts'
import { sidebarEndpoints } from './channels/sidebar/routes.ts'
import { commandEndpoints, lateAnswerEndpoints } from './commands/routes.ts'
import { channelFilesEndpoints } from './files/channel-files-routes.ts'
import { emojiEndpoints } from './files/emoji/routes.ts'
import { previewEndpoints } from './files/previews/routes.ts'
import { fileEndpoints } from './files/routes.ts'
import { uploadEndpoints } from './files/uploads/routes.ts'
import { hookAddressEndpoints } from './hooks/address-routes.ts'
import { hookEndpoints } from './hooks/routes.ts'
import { outgoingHookEndpoints } from './hooks-out/routes.ts'
import { mcpEndpoints } from './mcp/routes.ts'
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
import { slackEndpoints } from './slack-api/routes.ts'
import { slackUploadEndpoints } from './slack-api/upload-routes.ts'

/** Mounted before the sessions, which they do not have. */
export const BEFORE_SESSIONS: readonly Endpoint[] = [
  ...lateAnswerEndpoints,
  ...versionEndpoints,
  ...clientErrorEndpoints,
  ...hookAddressEndpoints,
  ...slackUploadEndpoints,
]

/** Described where section 18 of docs/interface.md says. A path belongs to the first that matches. */
export const WITH_SESSIONS: readonly Endpoint[] = [
  ...pageEndpoints,
  ...trustEndpoints,
  ...documentEndpoints(() => ENDPOINTS),
  ...logInEndpoints,
  ...signUpEndpoints,
  ...resetEndpoints,
  ...claimEndpoints,
  ...inviteEndpoints,
  ...accountEndpoints,
  ...silentPresenceEndpoints, // without a session
  ...messageLinkEndpoints,
  ...workspaceLookEndpoints, // without a session

  ...clientConfigEndpoints,
  ...channelEndpoints,
  ...messageEndpoints,
  ...readStateEndpoints,
  ...searchEndpoints,
  ...sidebarEndpoints,
  ...statusEndpoints,
  ...publicChannelEndpoints,
  ...channelInfoEndpoints,
  ...emojiEndpoints,
  ...editsEndpoints,
  ...channelDaysEndpoints,
  ...threadEndpoints,
  ...inboxEndpoints,
  ...preferencesEndpoints,
  ...invitationEndpoints,
  ...tokenEndpoints,
  ...workspaceEndpoints,
  ...ownAccountEndpoints,
  ...peopleEndpoints,
  ...peopleAdministrationEndpoints,
  ...administrationEndpoints,
  ...groupEndpoints,
  ...botEndpoints,
  ...commandEndpoints,
  ...hookEndpoints,
  ...outgoingHookEndpoints,
  ...forwardEndpoints,
  ...pinEndpoints,
  ...savedEndpoints,
  ...scheduledEndpoints,
  ...draftEndpoints,
  ...fileEndpoints,
  ...channelFilesEndpoints,
  ...uploadEndpoints,
  ...previewEndpoints,
  ...settingsEndpoints,
  ...presenceEndpoints,
  ...privateChannelEndpoints,
  ...callEndpoints,
  ...screenshareEndpoints,
  ...slackEndpoints,
  ...mcpEndpoints,
]

/** Every endpoint of the interface but /healthz, /metrics and the files of the client. Needs no stores. */
export const ENDPOINTS: readonly Endpoint[] = [...BEFORE_SESSIONS, ...WITH_SESSIONS]

/** `GET /pins/:channel` of each. */
export const ROUTES: readonly string[] = ENDPOINTS.map(
  ({ method, path }) => `${method.toUpperCase()} ${path}`,
)
