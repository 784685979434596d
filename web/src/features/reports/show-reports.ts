/** Shows and announces the outcomes that `net` reports. */
import type { MessagePayload } from '#shared/domain/payloads.ts'
import { words } from '../../i18n/i18n.ts'
import { channelOf } from '../../store/channels.ts'
import { keepEdit, openBox } from '../../store/edits.ts'
import { onReport, type Report } from '../../store/reports.ts'
import { hashOf } from '../../store/route.ts'
import { announce, showToast } from '../../ui/feedback.ts'
import { announceMessages } from './announce-messages.ts'

export function showReports() {
  onReport(show)
}

function show(report: Report) {
  switch (report.what) {
    case 'messages-arrived':
      return announceMessages(report.rows)
    case 'message-missing':
      return showToast(words.list.gone)
    case 'page-not-loaded':
      return showError(words.list.noOlder)
    case 'upload-finished':
      return announce(words.announce.uploaded)
    case 'message-not-sent':
      return announce(words.announce.notSent, true)
    case 'connection-lost':
      return announce(words.announce.lost, true)
    case 'edit-refused': {
      const { row, text } = report
      const action = { label: words.actions.editAgain, run: () => editAgain(row, text) }
      return showToast(words.actions.notEdited, { icon: 'alert', action })
    }
    case 'deletion-refused':
      return showError(words.actions.notDeleted)
    case 'reaction-refused':
      return showError(words.actions.notReacted)
    case 'channel-lost':
      return showToast(words.privateChannel.lost(report.name))
    case 'channel-left':
      return showToast(words.privateChannel.left(report.name))
    case 'channel-not-left':
      return showError(words.privateChannel.notLeft)
    case 'people-skipped':
      return showError(words.privateChannel.skipped(report.names))
  }
}

const showError = (text: string) => showToast(text, { icon: 'alert' })

/** Reopens the editor with the text that could not be saved, also from another channel. */
function editAgain(row: MessagePayload, text: string) {
  location.hash = hashOf(row.channel, row.id)
  keepEdit(row.id, text)
  openBox(channelOf(row.channel), row.id)
}
