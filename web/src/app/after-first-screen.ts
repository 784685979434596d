/**
 * The second entry: everything that the first screen does not need. The app fetches it after that, or when somebody needs a
 * part earlier (`ui/part.ts`).
 */

import { hookParts } from '../common/hook-parts.ts'
import * as markRead from '../common/mark-read.ts'
import * as IncomingSection from '../features/administration/IncomingSection.tsx'
import { readyChanges } from '../features/administration/open-administration.ts'
import { incomingHooksPart } from '../features/administration/open-hooks.ts'
import * as readyChangesModule from '../features/administration/ready-changes.ts'
import * as callsPartModule from '../features/calls/calls-part.ts'
import { callsPart } from '../features/calls/open-calls.ts'
import { closedBar, connectionBanner, welcomeBar } from '../features/channel/ChannelView.tsx'
import * as ClosedBar from '../features/channel/ClosedBar.tsx'
import * as ConnectionBanner from '../features/channel/ConnectionBanner.tsx'
import { linkCard, messageCard } from '../features/channel/cards/CardBelow.tsx'
import * as FileCard from '../features/channel/cards/FileCard.tsx'
import { fileCard } from '../features/channel/cards/FileSpace.tsx'
import * as Lightbox from '../features/channel/cards/Lightbox.tsx'
import * as LinkCard from '../features/channel/cards/LinkCard.tsx'
import * as MessageCard from '../features/channel/cards/MessageCard.tsx'
import { lightbox } from '../features/channel/cards/open-lightbox.tsx'
import { composerParts } from '../features/channel/composer/composer-part.ts'
import * as composerPartsModule from '../features/channel/composer/composer-parts.ts'
import * as EditBox from '../features/channel/composer/EditBox.tsx'
import * as MentionMenu from '../features/channel/composer/MentionMenu.tsx'
import { mentionMenu } from '../features/channel/composer/use-completion.ts'
import * as ForwardCard from '../features/channel/forward/ForwardCard.tsx'
import { headerTopic, timeThere } from '../features/channel/header/ChannelHeader.tsx'
import { headerMenu } from '../features/channel/header/HeaderChoices.tsx'
import * as HeaderTopic from '../features/channel/header/HeaderTopic.tsx'
import * as headerMenuModule from '../features/channel/header/header-menu.tsx'
import * as TimeThere from '../features/channel/header/TimeThere.tsx'
import * as CommandAnswers from '../features/channel/hooks/CommandAnswers.tsx'
import * as hookPartsModule from '../features/channel/hooks/hook-parts.tsx'
import { linkedMessages } from '../features/channel/OwnLink.tsx'
import { commandAnswersPart } from '../features/channel/open-command-answers.ts'
import { dayMenu } from '../features/channel/open-days.ts'
import { forwardCard } from '../features/channel/open-forward.ts'
import { marking } from '../features/channel/open-marking.ts'
import { messageMenu } from '../features/channel/open-message-menu.ts'
import { versions } from '../features/channel/open-versions.ts'
import { editBox, rowToolbar, sendState } from '../features/channel/row/MessageRow.tsx'
import * as messageMenuModule from '../features/channel/row/message-menu.tsx'
import { reactionParts } from '../features/channel/row/ReactionBar.tsx'
import { seenBy } from '../features/channel/row/ReadReceipts.tsx'
import * as RowToolbar from '../features/channel/row/RowToolbar.tsx'
import * as reactionPartsModule from '../features/channel/row/reaction-parts.ts'
import * as SeenBy from '../features/channel/row/SeenBy.tsx'
import * as SendState from '../features/channel/row/SendState.tsx'
import { firstSteps } from '../features/channel/timeline/ChannelStart.tsx'
import * as DayMenu from '../features/channel/timeline/DayMenu.tsx'
import * as FirstSteps from '../features/channel/timeline/FirstSteps.tsx'
import { rowGestures } from '../features/channel/timeline/MessageList.tsx'
import * as rowGesturesModule from '../features/channel/timeline/row-gestures.ts'
import * as Versions from '../features/channel/versions/Versions.tsx'
import * as WelcomeBar from '../features/channel/WelcomeBar.tsx'
import * as CommandBar from '../features/commands/CommandBar.tsx'
import * as commandListModule from '../features/commands/command-list.ts'
import { commandBar, commandList, commandRunner } from '../features/commands/open-commands.ts'
import * as runCommand from '../features/commands/run-command.ts'
import * as groupsPartModule from '../features/groups/groups-part.ts'
import { groupsPart } from '../features/groups/open-groups.ts'
import * as laterPartModule from '../features/later/later-part.ts'
import { laterPart } from '../features/later/open-later.ts'
import * as startNotifications from '../features/notifications/start-notifications.ts'
import * as hoverCard from '../features/people/hover-card.tsx'
import { profileCard } from '../features/people/open-profile.ts'
import * as ProfileCard from '../features/people/ProfileCard.tsx'
import * as showReports from '../features/reports/show-reports.ts'
import * as channelsMenuModule from '../features/sidebar/channels-menu.tsx'
import { ownMenus } from '../features/sidebar/Me.tsx'
import * as ownMenusModule from '../features/sidebar/own-menus.tsx'
import * as ownSectionsModule from '../features/sidebar/own-sections.tsx'
import * as rowMenuListeners from '../features/sidebar/row-menu-listeners.ts'
import { channelsMenu, ownSections, rowMenus } from '../features/sidebar/Sidebar.tsx'
import * as linkedMessagesModule from '../net/messages/linked-messages.ts'
import * as syncDrafts from '../net/messages/sync-drafts.ts'
import { partedUpload } from '../net/outbox/browser-outbox.ts'
import * as uploadInParts from '../net/requests/upload-in-parts.ts'
import * as browserStream from '../net/stream/browser-stream.ts'
import * as followOffice from './follow-office.ts'
import * as keyboardModule from './keyboard.ts'
import { panels } from './panels.ts'
import * as panelsAndDialogs from './panels-and-dialogs.ts'
import { draftsSync, hoverCards, keyboard, live, notifying, office, reporting } from './start.ts'

office.fill(followOffice)
keyboard.fill(keyboardModule)
panels.fill(panelsAndDialogs)
marking.fill(markRead)
readyChanges.fill(readyChangesModule)
callsPart.fill(callsPartModule)
closedBar.fill(ClosedBar)
connectionBanner.fill(ConnectionBanner)
dayMenu.fill(DayMenu)
editBox.fill(EditBox)
firstSteps.fill(FirstSteps)
headerTopic.fill(HeaderTopic)
mentionMenu.fill(MentionMenu)
reactionParts.fill(reactionPartsModule)
rowToolbar.fill(RowToolbar)
seenBy.fill(SeenBy)
sendState.fill(SendState)
rowGestures.fill(rowGesturesModule)
timeThere.fill(TimeThere)
welcomeBar.fill(WelcomeBar)
fileCard.fill(FileCard)
lightbox.fill(Lightbox)
linkCard.fill(LinkCard)
messageCard.fill(MessageCard)
composerParts.fill(composerPartsModule)
forwardCard.fill(ForwardCard)
incomingHooksPart.fill(IncomingSection)
hookParts.fill(hookPartsModule)
headerMenu.fill(headerMenuModule)
messageMenu.fill(messageMenuModule)
versions.fill(Versions)
commandAnswersPart.fill(CommandAnswers)
commandBar.fill(CommandBar)
commandList.fill(commandListModule)
commandRunner.fill(runCommand)
groupsPart.fill(groupsPartModule)
laterPart.fill(laterPartModule)
notifying.fill(startNotifications)
profileCard.fill(ProfileCard)
hoverCards.fill(hoverCard)
reporting.fill(showReports)
channelsMenu.fill(channelsMenuModule)
ownMenus.fill(ownMenusModule)
ownSections.fill(ownSectionsModule)
rowMenus.fill(rowMenuListeners)
linkedMessages.fill(linkedMessagesModule)
live.fill(browserStream)
draftsSync.fill(syncDrafts)
partedUpload.fill(uploadInParts)
