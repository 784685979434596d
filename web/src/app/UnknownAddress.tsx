import { strings } from '../i18n/i18n.ts'
import { hashOf } from '../store/route.ts'
import { publicChannels } from '../store/store.ts'
import { Icon } from '../ui/Icon.tsx'

/** In place of the channel, for an address that leads nowhere. */
export function UnknownAddress() {
  const first = publicChannels.value[0]
  return (
    <div class="centred">
      <div class="empty-state" role="alert">
        <Icon name="alert" size={24} />
        <h1>{strings.unknownAddress.title}</h1>
        <p>{strings.unknownAddress.more}</p>
        <a class="button" href={first === undefined ? '#/' : hashOf(first)}>
          {first === undefined ? strings.unknownAddress.start : strings.unknownAddress.goTo(first)}
        </a>
      </div>
    </div>
  )
}
