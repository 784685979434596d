import type { ChannelId } from '#shared/domain/units.ts'
import { nameOf } from '../../store/channels/names.ts'
import { publicChannels } from '../../store/store.ts'

interface Props {
  legend: string
  chosen: readonly ChannelId[]
  onChange: (chosen: ChannelId[]) => void
}

/** Public channels with a tick each. */
export function ChannelChooser({ legend, chosen, onChange }: Props) {
  return (
    <fieldset class="channel-chooser">
      <legend class="label">{legend}</legend>
      <div class="channel-chooser-list">
        {publicChannels.value.map(channel => (
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
