import type { ChannelId } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { addToChannel, peopleOutside } from '../../net/people/groups.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { channelOf } from '../../store/channels/channels.ts'
import { isDm, isPrivate, nameOf } from '../../store/channels/names.ts'
import { showToast } from '../../ui/feedback.ts'

/** Says how many people of the mentioned groups are not in the channel, and offers to add them. */
export async function offerToAdd(channel: ChannelId, missed: string) {
  if (isDm(channel)) return
  const handles = missed.split(',').map(part => part.trim().split('=', 1)[0]!)
  const texts = strings.groups
  try {
    const names = await peopleOutside(channel, handles)
    if (names.length === 0) return
    // Guests are added to public channels by managers only, and others read these anyway.
    const mayAdd = isPrivate(channel) || channelOf(channel).info.peek()?.may.includes('manage')
    const add = async () => {
      const skipped = await addToChannel(channel, names)
      if (skipped.length > 0) showToast(texts.notAdded(skipped), { icon: 'alert' })
      else showToast(texts.added(names.length, nameOf(channel)))
    }
    const action = { label: texts.addThem, run: () => void add() }
    showToast(texts.missed(names.length, handles), mayAdd ? { icon: 'users', action } : { icon: 'users' })
  } catch (error) {
    tolerateFailure(error)
  }
}
