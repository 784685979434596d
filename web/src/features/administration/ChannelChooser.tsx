import type { ChannelId } from '#shared/domain/units.ts'
import { nameOf } from '../../store/channels/names.ts'
import { publicChannels } from '../../store/store.ts'

interface Props {
  legend: string
  chosen: readonly ChannelId[]
  /** In place of the public ones. */
  offered?: readonly ChannelId[] | undefined
  onChange: (chosen: ChannelId[]) => void
}

/** Channels with a tick each. */
export function ChannelChooser({ legend, chosen, offered = publicChannels.value, onChange }: Props) {
  return (
    <fieldset class="channel-chooser">
      <legend class="label">{legend}</legend>
      <div class="channel-chooser-list">
        {offered.map(channel => (
          <label key={channel}>
            <input
              type="checkbox"
              checked={chosen.includes(channel)}
              onChange={event =>
                onChange(
                  event.currentTarget.checked ? [...chosen, channel] : chosen.filter(one => one !== channel),
                )
              }
            />
            <bdi>{nameOf(channel)}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
