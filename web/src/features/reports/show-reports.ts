/** Shows and announces the outcomes that `net` reports. */
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { reportBroken } from '../../common/Guarded.tsx'
import { strings } from '../../i18n/i18n.ts'
import { channelOf } from '../../store/channels/channels.ts'
import { nameOf } from '../../store/channels/names.ts'
import type { Report } from '../../store/reports.ts'
import { hashOf } from '../../store/route.ts'
import { keepEdit, openBox } from '../../store/writing/edits.ts'
import { announce, showToast } from '../../ui/feedback.ts'
import { offerToAdd } from '../groups/open-groups.ts'
import { announceMessages } from './announce-messages.ts'

export function show(report: Report) {
  switch (report.what) {
    case 'messages-arrived':
      return announceMessages(report.rows)
    case 'message-missing':
      return showToast(strings.list.gone)
    case 'malformed-response':
      return reportBroken('response', new TypeError())
    case 'page-not-loaded':
      return showError(strings.list.noOlder(nameOf(report.channel)))
    case 'upload-finished':
      return announce(strings.announce.uploaded)
    case 'message-not-sent':
      return announce(strings.announce.notSent, true)
    case 'connection-lost':
      return announce(strings.announce.lost, true)
    case 'edit-refused': {
      const { row, text } = report
      const action = { label: strings.actions.editAgain, run: () => editAgain(row, text) }
      return showToast(strings.actions.notEdited, { icon: 'alert', action })
    }
    case 'deletion-refused':
      return showError(strings.actions.notDeleted)
    case 'reaction-refused':
      return showError(strings.actions.notReacted)
    case 'channel-lost':
      return showToast(strings.privateChannel.lost(report.name))
    case 'channel-left':
      return showToast(strings.privateChannel.left(report.name))
    case 'channel-not-left':
      return showError(strings.privateChannel.notLeft(report.name))
    case 'public-channel-left':
      return showToast(strings.privateChannel.left(report.name), {
        action: { label: strings.undo, run: report.undo },
      })
    case 'channel-archived':
      return showToast(strings.joining.isArchived(report.name), {
        action: { label: strings.undo, run: report.undo },
      })
    case 'channel-not-joined':
      return showError(strings.joining.notJoined(report.name))
    case 'channel-not-changed':
      return showError(strings.sidebar.notChanged(report.name))
    case 'mention-missed':
      return offerToAdd(report.channel, report.missed)
    case 'people-skipped':
      return showError(strings.privateChannel.skipped(report.names))
  }
}

const showError = (text: string) => showToast(text, { icon: 'alert' })

/** Reopens the editor with the text that could not be saved, also from another channel. */
function editAgain(row: MessagePayload, text: string) {
  location.hash = hashOf(row.channel, row.id)
  keepEdit(row.id, text)
  openBox(channelOf(row.channel), row.id)
}
